#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/check/metrics.hpp>
#include <tenure/scenario/codes.hpp>
#include <tenure/scenario/names.hpp>
#include <tenure/scenario/pages.hpp>
#include <tenure/scenario/preset.hpp>

namespace tenure::scenario {
namespace {

constexpr std::string_view exit_codes_name = "exit codes";

constexpr std::string_view environment_name = "environment";
constexpr std::string_view formats_name = "formats";

constexpr std::string_view summary_name = "summary";
constexpr std::string_view sweep_name = "sweep";  // before the path of its fields

constexpr std::string_view summary_text = R"(summary: how to read what tenure run prints

  first line   runs x simulated time of each, seed, candidates with their
               leaseDuration/renewDeadline/retryPeriod

  ok           held in every run. violations per run < 0.15 %  (95 %): what is still possible
               after so many runs without one, about 3 / runs. exercised in N: in the other runs
               there was nothing to violate
  FAIL         violated, or a threshold missed
  xfail        violated, as its expect says: not a failure of the scenario
  XPASS        a violation was expected and none was seen: a failure
  ?            not exercised, or too few runs to decide; the next line says why

  interval     where, with 95 % confidence, the mean or percentile of endlessly many runs lies;
               a threshold inside it is not decided. min and max are what was seen and have
               none: more runs may go beyond. What is possible: tenure bounds
  FAILOVER     one sample per fault that cost a leader its lead, so n is not the number of runs;
               - for a percentile: too few samples. Bars: the share that was over by then.
               band: how far all of these shares together may be off (Dvoretzky, Kiefer, Wolfowitz);
               as wide in the tail, where the interval of a percentile says more
  OVERLAP      runs with two believers, and the longest; running: neither of them frozen
  API LOAD     requests that reached the API server, all candidates together
  COUNTEREXAMPLE   the first run in which a property fails that should hold, made smaller by
               some hundred runs; left out where runs are long. replay --shrink tries longer

  The last lines show the run behind a number: paste one. Same seed, same runs.
)";

constexpr std::string_view explore_name = "explore";

constexpr std::string_view explore_text =
    R"(explore: what tenure explore tries, and what its verdicts are worth

  HOLDS          in every run within these bounds: every state was reached
  VIOLATED       with the earliest run, and of those one with the fewest steps, made again in the
                 simulator; -w scenario=PATH keeps it, for tenure replay and run
  INCONCLUSIVE   maxTick, maxStates, maxMemory, --fail-fast or Ctrl-C ended it before; exit code
                 3, or what --inconclusive says
  NOT EXERCISED  there was nothing to violate: the Lease never changed hands, nobody failed; or
                 the property is not judged

  tried          any value of a distribution, any tick of at: any, any wait of a follower, any
                 order within an instant. count bounds a fault; without it, as often as possible.
                 {type: loss, at: any} without a duration loses any message by itself
  grid           time goes in ticks (spec.explore.tick). Fixed durations must be multiples of it
                 (E0330); ranges are rounded outward, and BOUNDS says which: more can happen than
                 in the scenario, so HOLDS is good for it, and a VIOLATED may need the rounding.
                 Waits with jitter and clocks with a rate are rounded outward too, and not listed
  equality       a record that is exactly leaseDuration old has expired, for client-go; where a tie
                 of two clocks decides, both readings are tried. A lead that ends in the instant
                 in which another begins is no overlap
  judged         leaseSafety, beliefSafety; boundedFailover where crashes are the only faults,
                 fewer than processes; on the finished graph and so without a counterexample, and
                 inconclusive where a gap that is too long can span several crashes
  not judged     leaseRecord, validLeader, eventualStability; thresholds, runs, duration and
                 warmup are ignored
  states         are known by 64-bit fingerprints: the chance that two were taken for one is
                 printed
)";

constexpr std::string_view advise_name = "advise";

constexpr std::string_view advise_text =
    R"(advise: the needs that tenure advise knows, what each is about, and what it comes to

  With L leaseDuration, D renewDeadline, R retryPeriod, J = 1.2, n candidates. Each flag may be
  given once; a failover or a handover is needed to search.

  --failover 'p(99) < 40s'
      From a crash of the leader to the next one. max: L + 2(1+J)R. avg, med and p(N): the law of
      L + min(V + W) - A over the followers, in numbers; each request of the winner adds its
      latency, five at most
  --survive-outage T, T:refused, T:hanging
      The API server answers nobody for T and the leader is kept. Refused at once:
      (ceil(D/R) - 1) R. Hanging: until the client's time limit, max(1s, D/2) if it is its own
  --survive-pause T, T:healthy, T:cut
      The leader is frozen for T and there are never two. On a healthy network: L - R. Cut off
      meanwhile: L - D - R
  --clock-ratio X
      Rivals' clocks run X times as fast as the leader's, which is cut off: L / (D + R)
  --max-requests N/s
      Of all candidates together while nothing fails: 1/R + (n-1)/(1.6 R)
  --handover T
      From SIGTERM to the next leader: (1+J)R. The advice is then for releaseOnCancel, and where
      the leader is cut off its release may hang for h: D + R becomes D + R + h
  --margin T, T:refused, T:hanging
      L - D - R: how slow the reply to the last renewal may have been before a cut. Hanging: less
      h. 0s (or the latency), hanging, is always needed, else a cut alone gives two leaders
  --candidates N, --request-timeout, --latency, --no-fast-path
      What is given: 3, max(1s, D/2), 0s, client-go since v0.30

  answer       settings that meet all needs, fewest requests first, each next one led again
               sooner. Taken from round durations if they have any, else whole seconds, else
               tenths; of finer ones the cheapest is added if it saves a tenth of the requests
  round        0.1 0.2 0.25 0.5 0.75 1 1.5 2 2.5 3 4 5 6 7.5 8 10 12 15 20 25 30 35 40 45 50 60 75
               90 105 120 150 180 240 300s and so on to 24h; leaseDuration whole seconds, as the
               Lease has it
  conflict     a smallest set of needs that no L, D, R meet together, R from 100ms and L up to
               24h, in nanoseconds; and for each of them the amount that goes with the others
  --current    judges L/D/R; FILE and --preset judge theirs
  proven by    the closed form (tenure bounds --explain), or the law in numbers
  runs         2000 per need, in which just that happens; more, up to 100 000, where the law says
               that a percentile or mean needs them. Exit code 3: they could not decide
  not covered  lost replies: since v0.30 a renewal whose reply was lost is repeated without
               effect, so that L >= D + R + the time limit is needed as well; several faults at
               once; random latency. Sets of faults: tenure run, every one of them: tenure explore
)";

// Text broken into lines of at most 96 columns behind `margin` spaces; its own line feeds stay.
std::string wrapped(std::string_view text, std::size_t margin) {
  constexpr std::size_t width = 96;
  std::string out;
  std::string line;
  const auto end_line = [&] {
    out += std::string(margin, ' ') + line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && margin + line.size() + 1 + word.size() > width) end_line();
    if (!line.empty()) line += ' ';
    line += word;
    if (end < text.size() && text[end] == '\n') end_line();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!line.empty()) end_line();
  return out;
}

std::string entry(std::string_view label, std::string_view text) {
  if (text.empty()) return {};
  constexpr std::size_t margin = 15;
  std::string body = wrapped(text, margin);
  body.replace(0, margin, fmt::format("  {:<13}", label));
  return body;
}

template <class Page>
const Page* page_of(std::span<const Page> pages, std::string_view name) {
  const auto found =
      std::find_if(pages.begin(), pages.end(), [&](const Page& p) { return p.name == name; });
  return found == pages.end() ? nullptr : &*found;
}

std::string unmodelled(std::string_view kind, const Name& name) {
  return fmt::format("{} {}: not part of this version\n\n", kind, name.name) +
         wrapped(name.meaning, 2);
}

// A path without "scenario." before it and without the parts that pick a list item. What is
// Sweep.parameters in short is sweep.spec.parameters.
std::string plain_path(std::string_view written) {
  std::string out;
  std::size_t at = 0;
  while (at <= written.size()) {
    const std::size_t end = std::min(written.find('.', at), written.size());
    std::string_view part = written.substr(at, end - at);
    part = part.substr(0, part.find('['));
    const bool is_index = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    const bool is_prefix = at == 0 && (part == "scenario" || part == "Scenario");
    if (at == 0 && part == "Sweep") part = sweep_name;
    if (!part.empty() && !is_index && !is_prefix) {
      if (!out.empty()) out += '.';
      out += part;
    }
    at = end + 1;
  }
  return out;
}

std::vector<FieldPage> all_field_pages() {
  std::vector<FieldPage> pages{field_pages().begin(), field_pages().end()};
  pages.insert(pages.end(), sweep_field_pages().begin(), sweep_field_pages().end());
  return pages;
}

// The names of the fields of the map at `path`.
std::string fields_below(std::string_view path) {
  std::string fields;
  for (const FieldPage& page : all_field_pages()) {
    if (!is_child(page.path, path)) continue;
    if (!fields.empty()) fields += ", ";
    fields += page.path.substr(path.empty() ? 0 : path.size() + 1);
  }
  return fields;
}

std::string page_of_field(std::string_view path) {
  for (const FieldPage& page : all_field_pages()) {
    if (page.path != path) continue;
    return fmt::format("{}\n\n", page.path) + wrapped(page.meaning, 2) + "\n" +
           entry("type", text_of(page.value)) + entry("default", page.standard) +
           entry("fields", fields_below(path));
  }
  return {};
}

std::string field_text(std::string_view written) {
  if (written == "scenario" || written == "Scenario") {
    return "scenario\n\n  A scenario file, YAML or JSON.\n\n" + entry("fields", fields_below(""));
  }
  const std::string path = plain_path(written);
  if (path == sweep_name) {
    return "sweep\n\n  A file of kind Sweep: a scenario at many settings, for tenure sweep.\n\n" +
           entry("fields", fields_below(path));
  }
  std::string out = page_of_field(path);
  const std::string prefix = std::string{sweep_name} + ".";
  if (out.empty() && path.starts_with(prefix))
    out = page_of_field(prefix + "spec." + path.substr(prefix.size()));
  return out.empty() ? page_of_field(prefix + path) : out;
}

// A field by its last name alone: all fields that are called so.
std::string fields_named(std::string_view name) {
  std::string out;
  for (const FieldPage& page : all_field_pages()) {
    if (page.path.substr(page.path.rfind('.') + 1) != name) continue;
    if (!out.empty()) out += "\n";
    out += field_text(page.path);
  }
  return out;
}

std::string_view hits_text(Hits hits) {
  switch (hits) {
    case Hits::processes:
      return "processes: leader, followers, believers, all, candidate/NAME-0, node/NAME, zone/NAME";
    case Hits::links:
      return "links: target: x means between: [x, apiserver]; a process that is started again is "
             "still behind the same links";
    case Hits::api_servers:
      return "apiserver, which need not be written";
  }
  return "";
}

std::string fault_text(std::string_view name) {
  const Name* known = find_name(faults(), name);
  if (known == nullptr) return {};
  const FaultPage* page = page_of(fault_pages(), name);
  if (page == nullptr) return unmodelled("fault", *known);
  return fmt::format("fault {}: {}\n\n", name, known->meaning) + wrapped(page->meaning, 2) + "\n" +
         entry("hits", hits_text(page->hits)) + entry("own fields", page->fields) +
         entry("in flight", page->inflight) + entry("elsewhere", page->elsewhere) +
         entry("try", fmt::format("tenure init --preset kube-controller-manager --fault {}", name));
}

bool lists(std::string_view ids, std::string_view id) {
  const std::vector<std::string_view> parts = parts_of(ids);
  return std::find(parts.begin(), parts.end(), id) != parts.end();
}

std::string property_text(std::string_view name) {
  for (const PropertyPage& page : property_pages()) {
    if (page.name != name && !lists(page.ids, name)) continue;
    return fmt::format("property {} ({})\n\n", page.name, page.ids) + wrapped(page.sentence, 2) +
           "\n" + entry("promise", page.promise) + entry("premise", page.premise) +
           entry("violation", page.violation) + entry("options", page.options);
  }
  const Name* known = find_name(properties(), name);
  return known == nullptr ? std::string{} : unmodelled("property", *known);
}

std::string definition_of(std::string_view metric) {
  for (std::size_t i = 0; i < check::metric_count; ++i) {
    const auto id = static_cast<check::MetricId>(i);
    if (check::to_text(id) == metric) return std::string{check::definition(id)} + ".";
  }
  return {};
}

std::string metric_text(std::string_view written) {
  const std::string_view name = written.substr(0, written.find('['));  // failover[kill]
  const Name* known = find_name(metrics(), name);
  if (known == nullptr) return {};
  const MetricPage* page = page_of(metric_pages(), name);
  if (page == nullptr) return unmodelled("metric", *known);
  return fmt::format("metric {}\n\n", name) + wrapped(definition_of(name), 2) + "\n" +
         entry("unit", page->unit) + entry("details", page->details);
}

std::string elector_text(std::string_view name) {
  const Name* known = find_name(electors(), name);
  if (known == nullptr) return {};
  const ElectorPage* page = page_of(elector_pages(), name);
  if (page == nullptr) return unmodelled("elector", *known);
  return fmt::format("elector {}: {}\n\n", name, known->meaning) + wrapped(page->text, 2) + "\n" +
         entry("own fields", page->fields);
}

std::string_view identity_words(IdentityRule rule) {
  switch (rule) {
    case IdentityRule::host_and_uuid:
      return "host name and a UUID, new with each start";
    case IdentityRule::host_name:
      return "host name";
    case IdentityRule::node_name:
      return "node name";
  }
  return "";
}

std::string assumed(bool is_assumed) {
  return is_assumed ? " (assumed)" : "";
}

std::string preset_text(std::string_view name) {
  const Preset* preset = preset_named(name);
  if (preset == nullptr) return {};
  const std::string timeout =
      preset->request_timeout ? duration_text(*preset->request_timeout) : std::string{"none"};
  const Name* elector = find_name(electors(), preset->elector);
  const bool modelled = elector != nullptr && elector->modelled;
  return fmt::format("preset {}: {}\n\n", name, preset->component) +
         entry("elector",
               fmt::format("{}{}", preset->elector, modelled ? "" : ", not part of this version")) +
         entry("durations", fmt::format("leaseDuration {}, renewDeadline {}, retryPeriod {}",
                                        seconds_text(preset->lease_duration),
                                        seconds_text(preset->renew_deadline),
                                        seconds_text(preset->retry_period))) +
         entry("release", fmt::format("{}{}", preset->release_on_cancel ? "on cancel" : "no",
                                      assumed(preset->assumed.release_on_cancel))) +
         entry("time limit", timeout + " a request" + assumed(preset->assumed.request_timeout)) +
         entry("identity",
               std::string{identity_words(preset->identity)} + assumed(preset->assumed.identity)) +
         entry("source", preset->source) + entry("remark", preset->remark) +
         entry("try", modelled ? fmt::format("tenure run --preset {} --fault crash", name) : "");
}

std::string code_text(std::string_view name) {
  std::string code{name};
  std::transform(code.begin(), code.end(), code.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const Code* found = find_code(code);
  if (found == nullptr) return {};
  return fmt::format("{}: {}\n\n", found->code, found->meaning) + entry("in", found->in) +
         entry("bad", found->bad) + entry("good", found->good) +
         entry("", found->given == Given::later ? "not given by this version" : "");
}

std::string exit_text(std::string_view name) {
  const bool asked =
      name == exit_codes_name || name == "exit code" || name == "exit-codes" || name == "exit";
  if (!asked) return {};
  std::string out = "exit codes\n\n";
  for (const WordPage& page : exit_code_pages()) out += entry(page.name, page.meaning);
  return out + "\n  When several apply: 70, then 4, 130 and 143, 2, 1, 3, 0.\n";
}

std::string environment_text(std::string_view name) {
  std::string out;
  for (const WordPage& page : environment_pages()) {
    if (name == environment_name || name == page.name)
      out += (out.empty() ? "environment\n\n" : "") + entry(page.name, page.meaning);
  }
  return out;
}

std::string format_text(std::string_view name) {
  if (name != formats_name && name != "output" && name != "outputs") return {};
  std::string out = "formats: what -o prints and -w FORMAT=PATH writes\n\n";
  for (const WordPage& page : format_pages()) out += entry(page.name, page.meaning);
  return out;
}

std::string type_text(std::string_view name) {
  for (const TypePage& page : type_pages()) {
    if (page.name != name) continue;
    return fmt::format("type {}\n\n", name) + wrapped(page.meaning, 2) + "\n" +
           entry("written", page.text);
  }
  return {};
}

std::string formula_text(std::string_view name) {
  for (const FormulaPage& page : formula_pages()) {
    if (page.name != name && page.label != name) continue;
    return fmt::format("formula {}: {}\n\n", page.name, page.label) + wrapped(page.meaning, 2) +
           "\n" + entry("formula", page.formula) +
           entry("letters", "L leaseDuration, D renewDeadline, R retryPeriod, J 1.2") +
           entry("numbers", "tenure bounds --explain");
  }
  return {};
}

std::string summary_page(std::string_view name) {
  if (name == explore_name) return std::string{explore_text};
  if (name == advise_name) return std::string{advise_text};
  return name == summary_name ? std::string{summary_text} : std::string{};
}

std::string statistics_text(std::string_view name) {
  const TextPage* page = page_of(statistics_pages(), name);
  return page == nullptr ? std::string{} : std::string{page->text};
}

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> out{exit_codes_name, environment_name, formats_name, summary_name,
                                    explore_name,    advise_name,      "scenario"};
  for (const TextPage& page : statistics_pages()) out.push_back(page.name);
  for (const TypePage& page : type_pages()) out.push_back(page.name);
  for (const FormulaPage& page : formula_pages()) out.push_back(page.name);
  for (const WordPage& page : environment_pages()) out.push_back(page.name);
  for (const auto names : {electors(), faults(), properties(), metrics()}) {
    for (const Name& name : names) out.push_back(name.name);
  }
  for (const Preset& preset : presets()) out.push_back(preset.name);
  for (const Code& code : all_codes()) out.push_back(code.code);
  for (const FieldPage& page : field_pages()) out.push_back(page.path);
  for (const FieldPage& page : sweep_field_pages()) out.push_back(page.path);
  return out;
}

}  // namespace

std::string explained(std::string_view name) {
  std::string out;
  for (const auto& text_of : {elector_text, fault_text, property_text, metric_text, preset_text,
                              code_text, exit_text, environment_text, format_text, summary_page,
                              statistics_text, formula_text, type_text, field_text}) {
    const std::string text = text_of(name);
    if (text.empty()) continue;
    if (!out.empty()) out += "\n";
    out += text;
  }
  // "duration" is a type and the last name of two fields.
  const bool is_type_alone = !out.empty() && out == type_text(name);
  if (!out.empty() && !is_type_alone) return out;
  const std::string fields = fields_named(plain_path(name));
  return out.empty() || fields.empty() ? out + fields : out + "\n" + fields;
}

std::span<const std::string_view> explained_names() {
  static const std::vector<std::string_view> names = all_names();
  return names;
}

}  // namespace tenure::scenario
