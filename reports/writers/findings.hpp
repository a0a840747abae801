#pragma once

// How findings are written for a person: their words, their colours and what a headline says of the
// processes.

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tenure/base/text.hpp>
#include <tenure/report/writer.hpp>
#include <tenure/run/result.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::report {

inline std::string_view word(run::Finding finding) {
  using run::Finding;
  switch (finding) {
    case Finding::ok:
      return "ok";
    case Finding::fail:
      return "FAIL";
    case Finding::xfail:
      return "xfail";
    case Finding::xpass:
      return "XPASS";
    case Finding::inconclusive:
    case Finding::not_exercised:
      return "?";
  }
  return "";
}

// Green for what is as it should be, red for what is not, yellow for what is not known. The
// sequences of ECMA-48 (SGR).
inline std::string_view colour_of(run::Finding finding) {
  using run::Finding;
  if (finding == Finding::ok || finding == Finding::xfail) return "32";
  return finding == Finding::fail || finding == Finding::xpass ? "1;31" : "33";
}

inline std::string painted(std::string_view text, std::string_view sequence, Colour colour) {
  if (colour == Colour::no) return std::string{text};
  return fmt::format("\x1b[{}m{}\x1b[0m", sequence, text);
}

// The word of a finding, as wide as the widest.
inline std::string mark(run::Finding finding, Colour colour) {
  return painted(fmt::format("{:5}", word(finding)), colour_of(finding), colour);
}

// The last line of a summary: "PASS  crash  (0.03 s)".
inline std::string verdict_line(run::Verdict verdict,
                                std::string_view name,
                                std::string_view cost,
                                Colour colour) {
  const std::string word = verdict == run::Verdict::pass ? painted("PASS", "1;32", colour)
                           : verdict == run::Verdict::fail
                               ? painted("FAIL", "1;31", colour)
                               : painted("INCONCLUSIVE", "1;33", colour);
  const std::string behind = cost.empty() ? std::string{} : fmt::format("  ({})", cost);
  return fmt::format("{}  {}{}\n", word, name, behind);
}

// ", 3 x client-go (15s/10s/2s)" for each group.
inline std::string candidates_text(const scenario::Scenario& scenario) {
  std::string text;
  for (const scenario::Candidates& group : scenario.candidates) {
    const bool client_go = group.elector.type == scenario::Elector::Type::client_go;
    text += fmt::format(", {} x {}", group.replicas, client_go ? "client-go" : "naive-loop");
    if (client_go) {
      text += fmt::format(" ({}/{}/{})", duration_text(group.elector.lease_duration),
                          duration_text(group.elector.renew_deadline),
                          duration_text(group.elector.retry_period));
    }
  }
  return text;
}

}  // namespace tenure::report
