// The manual page, in the man macros.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tenure/run/result.hpp>
#include <tenure/scenario/pages.hpp>

#include "words.hpp"

namespace tenure::cli {
namespace {

// A text as roff prints it: backslashes and hyphens as they are, and no line that begins like a
// request.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string section(std::string_view name) {
  return fmt::format(".SH {}\n", name);
}

std::string entry(std::string_view head, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", head, roff(text));
}

// "-o, --output FORM" with the names in bold and the value in italics.
std::string head_of(const Flag& flag) {
  std::string out;
  for (const std::string& name : flag.names) {
    if (!out.empty()) out += ", ";
    out += fmt::format("\\fB{}\\fR", roff(name));
  }
  if (!flag.value.empty())
    out += fmt::format("{}\\fI{}\\fR", out.empty() ? "" : " ", roff(flag.value));
  return out;
}

std::string text_of(const Flag& flag) {
  // Long lists are what `tenure list` is for.
  const bool says_them = !flag.words.empty() && flag.words.size() <= 12 &&
                         flag.meaning.find(flag.words.front()) == std::string::npos;
  return says_them ? fmt::format("{}: {}", flag.meaning, fmt::join(flag.words, ", "))
                   : flag.meaning;
}

bool is_common(const Flag& flag) {
  return flag.group == common_group;
}

std::string synopsis_of(const Command& command) {
  std::string out = fmt::format("\\fBtenure {}\\fR", roff(command.name));
  for (const Flag& argument : command.arguments) {
    const std::string name =
        fmt::format("\\fI{}\\fR{}", roff(argument.value), argument.may_repeat ? "..." : "");
    out += argument.is_required ? " " + name : " [" + name + "]";
  }
  return out + " [\\fIflags\\fR]";
}

std::string command_text(const Command& command) {
  std::string out = fmt::format(".SS {}\n{}\n.PP\n{}.\n", roff(command.name), synopsis_of(command),
                                roff(command.meaning));
  for (const Flag& argument : command.arguments) out += entry(head_of(argument), text_of(argument));
  for (const Flag& flag : command.flags) {
    if (!is_common(flag) && flag.names.front() != "-h") out += entry(head_of(flag), text_of(flag));
  }
  return out;
}

// The flags of every command, from the first that has them.
std::string common_flags(const std::vector<Command>& commands) {
  std::string out;
  for (const Command& command : commands) {
    for (const Flag& flag : command.flags) {
      if (is_common(flag)) out += entry(head_of(flag), text_of(flag));
    }
    if (!out.empty()) return out;
  }
  return out;
}

}  // namespace

std::string manual(const std::vector<Command>& commands) {
  std::string out =
      fmt::format(".TH TENURE 1 \"\" \"tenure {}\" \"User Commands\"\n", run::tenure_version);
  out +=
      section("NAME") + "tenure \\- what your leader election does when things fail, simulated\n";
  out += section("SYNOPSIS") +
         "\\fBtenure\\fR \\fIcommand\\fR [\\fIargument\\fR...] [\\fIflags\\fR]\n";
  out +=
      section("DESCRIPTION") +
      roff(
          "Simulates lease-based leader elections: a virtual clock, a Kubernetes API server, the "
          "election code of client-go, and faults. Measures failover time, verifies that no two "
          "processes lead at once, and gives every finding as a run that can be replayed. What is "
          "simulated and asked stands in a scenario file; fields and names are explained by "
          "tenure explain.") +
      "\n";
  out += section("COMMANDS");
  for (const Command& command : commands) {
    if (!command.name.empty()) out += command_text(command);
  }
  out += section("FLAGS OF EVERY COMMAND") + common_flags(commands);
  for (const Flag& flag : commands.front().flags) out += entry(head_of(flag), text_of(flag));
  out += section("EXIT STATUS");
  for (const scenario::WordPage& page : scenario::exit_code_pages())
    out += entry(fmt::format("\\fB{}\\fR", page.name), page.meaning);
  out += section("ENVIRONMENT");
  for (const scenario::WordPage& page : scenario::environment_pages())
    out += entry(fmt::format("\\fB{}\\fR", page.name), page.meaning);
  out += section("FORMATS");
  for (const scenario::WordPage& page : scenario::format_pages())
    out += entry(fmt::format("\\fB{}\\fR", page.name), page.meaning);
  out += section("EXAMPLES") + ".nf\n" +
         roff(
             "tenure init --preset kube-controller-manager --fault crash > crash.yaml\n"
             "tenure run crash.yaml\n"
             "tenure replay crash.yaml --run 0 --timeline\n"
             "tenure explain scenario.spec.faults.at\n") +
         ".fi\n";
  return out;
}

void add_man(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("man", "the manual page: tenure man > tenure.1");
  verb->callback([&app, &session] {
    session.chosen = [&app] {
      std::fputs(manual(commands_of(app)).c_str(), stdout);
      return ExitCode::ok;
    };
  });
}

}  // namespace tenure::cli
