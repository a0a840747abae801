// Perfetto's TrackEvent: a sequence of packets, written field by field. The numbers are those of
// protos/perfetto/trace: trace.proto, trace_packet.proto, track_event/track_event.proto,
// track_descriptor.proto, counter_descriptor.proto and debug_annotation.proto.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include <tenure/report/trace.hpp>

#include "trace_content.hpp"

namespace tenure::report {
namespace {

enum class Trace : protozero::pbf_tag_type { packet = 1 };
enum class Packet : protozero::pbf_tag_type {
  timestamp = 8,
  sequence = 10,
  event = 11,
  descriptor = 60
};
enum class Descriptor : protozero::pbf_tag_type {
  uuid = 1,
  name = 2,
  parent = 5,
  counter = 8,
  child_ordering = 11,
  sibling_rank = 12
};
enum class Event : protozero::pbf_tag_type {
  annotations = 4,
  type = 9,
  track = 11,
  categories = 22,
  name = 23,
  counter_value = 30,
  flows = 47
};
enum class Annotation : protozero::pbf_tag_type { text = 6, name = 10 };

enum class EventType : std::int32_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };
constexpr std::int32_t explicit_ordering = 3;

using Writer = protozero::pbf_writer;

template <class Tag>
constexpr protozero::pbf_tag_type tag(Tag name) {
  return static_cast<protozero::pbf_tag_type>(name);
}

// A packet with the event of one instant; they are sorted by time before they are written.
struct Packed {
  TrueTime at{};
  std::string event;
};

class Packets {
 public:
  explicit Packets(const TextSink& sink) : sink_(sink) {}

  void write(const TraceContent& content) {
    for (std::size_t i = 0; i < content.groups.size(); ++i) group(content.groups[i], i);
    for (std::size_t i = 0; i < content.counters.size(); ++i) counter(content.counters[i], i);
    const std::uint64_t global = describe("faults and transitions", 0, content.groups.size() + 1);
    for (const TraceInstant& one : content.instants) instant(global, one.at, one.name);
    // What begins where something else of its lane ends comes after it.
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Packed& a, const Packed& b) { return a.at < b.at; });
    for (const Packed& packed : events_) send(packed);
  }

 private:
  static constexpr std::uint32_t sequence = 1;

  void send_packet(const std::string& packet) {
    std::string text;
    Writer{text}.add_message(tag(Trace::packet), packet);
    sink_(text);
  }
  void send(const Packed& packed) {
    std::string text;
    Writer packet{text};
    packet.add_uint64(tag(Packet::timestamp),
                      static_cast<std::uint64_t>(packed.at.time_since_epoch().count()));
    packet.add_uint32(tag(Packet::sequence), sequence);
    packet.add_message(tag(Packet::event), packed.event);
    send_packet(text);
  }

  // A new track; its uuid.
  std::uint64_t describe(const std::string& name,
                         std::uint64_t parent,
                         std::size_t rank,
                         bool is_counter = false) {
    const std::uint64_t uuid = ++tracks_;
    std::string text;
    Writer track{text};
    track.add_uint64(tag(Descriptor::uuid), uuid);
    track.add_string(tag(Descriptor::name), name);
    if (parent != 0) track.add_uint64(tag(Descriptor::parent), parent);
    if (is_counter) track.add_message(tag(Descriptor::counter), std::string{});
    track.add_enum(tag(Descriptor::child_ordering), explicit_ordering);
    track.add_int32(tag(Descriptor::sibling_rank), static_cast<std::int32_t>(rank));
    std::string packet;
    Writer writer{packet};
    writer.add_uint32(tag(Packet::sequence), sequence);
    writer.add_message(tag(Packet::descriptor), text);
    send_packet(packet);
    return uuid;
  }

  void group(const TraceGroup& group, std::size_t rank) {
    const std::uint64_t parent = describe(group.name, 0, rank);
    if (rank == 0) truth_ = parent;
    for (std::size_t i = 0; i < group.lanes.size(); ++i) {
      const std::uint64_t lane = describe(group.lanes[i].name, parent, i);
      for (const TraceSlice& each : group.lanes[i].slices) slice(lane, each);
    }
  }

  void slice(std::uint64_t track, const TraceSlice& slice) {
    std::string text;
    Writer begin = event_of(text, track, EventType::slice_begin);
    begin.add_string(tag(Event::name), slice.name);
    for (const auto& [name, value] : slice.notes) {
      std::string note;
      Writer annotation{note};
      annotation.add_string(tag(Annotation::text), value);
      annotation.add_string(tag(Annotation::name), name);
      begin.add_message(tag(Event::annotations), note);
    }
    if (slice.flow) {
      begin.add_string(tag(Event::categories), "request");
      begin.add_fixed64(tag(Event::flows), *slice.flow);
    }
    events_.push_back({slice.from, std::move(text)});
    std::string end;
    event_of(end, track, EventType::slice_end);
    events_.push_back({slice.to, std::move(end)});
    if (slice.is_answered) instant(track, slice.to, "reply", *slice.flow);
  }

  void instant(std::uint64_t track, TrueTime at, const std::string& name, std::uint64_t flow = 0) {
    std::string text;
    Writer event = event_of(text, track, EventType::instant);
    event.add_string(tag(Event::name), name);
    if (flow != 0) event.add_fixed64(tag(Event::flows), flow);
    events_.push_back({at, std::move(text)});
  }

  void counter(const TraceCounter& counter, std::size_t rank) {
    constexpr std::size_t below_lanes = 1000;
    const std::uint64_t track = describe(counter.name, truth_, below_lanes + rank, true);
    for (const auto& [at, value] : counter.values) {
      std::string text;
      event_of(text, track, EventType::counter).add_int64(tag(Event::counter_value), value);
      events_.push_back({at, std::move(text)});
    }
  }

  static Writer event_of(std::string& text, std::uint64_t track, EventType type) {
    Writer event{text};
    event.add_enum(tag(Event::type), static_cast<std::int32_t>(type));
    event.add_uint64(tag(Event::track), track);
    return event;
  }

  const TextSink& sink_;
  std::uint64_t tracks_ = 0;
  std::uint64_t truth_ = 0;
  std::vector<Packed> events_;
};

}  // namespace

void write_trace_protobuf(const world::Setup& setup,
                          const std::vector<record::Record>& history,
                          const TextSink& sink) {
  Packets{sink}.write(trace_content(setup, history));
}

}  // namespace tenure::report
