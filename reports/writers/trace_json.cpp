// Chrome Trace Event JSON: an event a line, times in microseconds with three decimals, so that
// nanoseconds survive.
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenure/report/trace.hpp>

#include "trace_content.hpp"

namespace tenure::report {
namespace {

std::string text_of(const std::string& text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string microseconds(Duration length) {
  return fmt::format("{}.{:03}", length.count() / 1000, length.count() % 1000);
}
std::string microseconds(TrueTime at) {
  return microseconds(at.time_since_epoch());
}

class Writer {
 public:
  explicit Writer(const TextSink& sink) : sink_(sink) {}

  void write(const TraceContent& content) {
    sink_("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (std::size_t i = 0; i < content.groups.size(); ++i) name_lanes(content.groups[i], i + 1);
    for (std::size_t i = 0; i < content.groups.size(); ++i) {
      const TraceGroup& group = content.groups[i];
      for (std::size_t lane = 0; lane < group.lanes.size(); ++lane) {
        for (const TraceSlice& slice : group.lanes[lane].slices)
          slice_at(slice, place(i + 1, lane + 1), i + 1 == server);
      }
    }
    for (const TraceInstant& instant : content.instants) {
      event(fmt::format(R"({{"ph":"i","s":"g",{},"ts":{},"name":{}}})", place(truth, 1),
                        microseconds(instant.at), text_of(instant.name)));
    }
    for (const TraceCounter& counter : content.counters) {
      for (const auto& [at, value] : counter.values) {
        event(fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"value":{}}}}})", truth,
                          microseconds(at), text_of(counter.name), value));
      }
    }
    sink_("\n]}\n");
  }

 private:
  static constexpr std::size_t truth = 1, server = 2;  // pids, by their places among the groups

  static std::string place(std::size_t group, std::size_t lane) {
    return fmt::format(R"("pid":{},"tid":{})", group, lane);
  }

  void event(std::string_view text) {
    sink_(first_ ? "\n" : ",\n");
    sink_(text);
    first_ = false;
  }

  // Viewers show ids unless names say otherwise, and sort by what they like.
  void name_lanes(const TraceGroup& group, std::size_t number) {
    event(fmt::format(R"({{"ph":"M","pid":{},"name":"process_name","args":{{"name":{}}}}})", number,
                      text_of(group.name)));
    event(fmt::format(
        R"({{"ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}}}})", number,
        number));
    for (std::size_t lane = 0; lane < group.lanes.size(); ++lane) {
      event(fmt::format(R"({{"ph":"M",{},"name":"thread_name","args":{{"name":{}}}}})",
                        place(number, lane + 1), text_of(group.lanes[lane].name)));
      event(fmt::format(R"({{"ph":"M",{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
                        place(number, lane + 1), lane + 1));
    }
  }

  void slice_at(const TraceSlice& slice, const std::string& where, bool is_server) {
    std::string notes;
    for (const auto& [key, value] : slice.notes)
      notes += fmt::format("{}{}:{}", notes.empty() ? "" : ",", text_of(key), text_of(value));
    event(fmt::format(R"({{"ph":"X",{},"ts":{},"dur":{},"name":{},"args":{{{}}}}})", where,
                      microseconds(slice.from), microseconds(slice.to - slice.from),
                      text_of(slice.name), notes));
    if (!slice.flow) return;
    flow(is_server ? 't' : 's', slice, where, slice.from);
    // Inside the slice, which ends before its end.
    if (slice.is_answered) flow('f', slice, where, std::max(slice.from, slice.to - Duration{1}));
  }

  void flow(char phase, const TraceSlice& slice, const std::string& where, TrueTime at) {
    event(
        fmt::format(R"({{"ph":"{}","bp":"e","cat":"request","name":"request","id":{},{},"ts":{}}})",
                    phase, *slice.flow, where, microseconds(at)));
  }

  const TextSink& sink_;
  bool first_ = true;
};

}  // namespace

void write_trace_json(const world::Setup& setup,
                      const std::vector<record::Record>& history,
                      const TextSink& sink) {
  Writer{sink}.write(trace_content(setup, history));
}

}  // namespace tenure::report
