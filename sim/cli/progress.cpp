#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tenure::cli {
namespace {

std::string bar_of(double share) {
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(share * width);
  return std::string(filled, '#') + std::string(width - filled, '.');
}

// What fits in one line: a longer one would wrap, and could not be written over.
std::size_t columns_of_stderr() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 80;
}

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool can_rewrite_a_line() {
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view{terminal} == "dumb";
  return isatty(STDERR_FILENO) != 0 && !is_dumb;
}

}  // namespace

Progress::Progress(const CommonFlags& flags, std::string name, std::uint64_t runs)
    : name_(std::move(name)), runs_(std::max<std::uint64_t>(runs, 1)) {
  if (flags.progress == "bar") style_ = Style::bar;
  if (flags.progress == "plain") style_ = Style::plain;
  if (flags.progress == "auto" && !flags.quiet) {
    style_ = can_rewrite_a_line() && !is_set("CI") ? Style::bar : Style::plain;
  }
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - started_).count();
}

std::string Progress::line(const run::CampaignResult& so_far) const {
  const double share = static_cast<double>(so_far.runs) / static_cast<double>(runs_);
  const double rate = static_cast<double>(so_far.runs) / std::max(seconds(), 1e-9);
  const double left = static_cast<double>(runs_ - so_far.runs) / std::max(rate, 1e-9);
  std::string text = fmt::format("{} [{}] {}/{}  {:.0f} runs/s  {:.0f}s left", name_, bar_of(share),
                                 so_far.runs, runs_, rate, left);
  if (!so_far.violating_runs.empty()) {
    text += fmt::format("  {} runs with violations", so_far.violating_runs.size());
  }
  return text;
}

void Progress::on(const run::CampaignResult& so_far) {
  if (is_due()) show(line(so_far));
}

void Progress::on(const std::function<std::string()>& text) {
  if (is_due()) show(fmt::format("{}  {}", name_, text()));
}

bool Progress::is_due() {
  if (style_ == Style::none) return false;
  const auto now = Clock::now();
  const auto pause =
      style_ == Style::bar ? std::chrono::milliseconds{100} : std::chrono::milliseconds{10'000};
  if (now - shown_ < pause) return false;
  shown_ = now;
  return true;
}

// Blanks do what an escape code would, and every terminal understands them.
void Progress::show(const std::string& text) {
  if (style_ != Style::bar) return fmt::print(stderr, "{}\n", text);
  const std::size_t columns = columns_of_stderr() - 1;
  const std::string line = text.substr(0, std::min(columns, text.size()));
  fmt::print(stderr, "\r{}{}", line,
             std::string(on_screen_ - std::min(on_screen_, line.size()), ' '));
  std::fflush(stderr);
  on_screen_ = line.size();
}

void Progress::finish() {
  if (on_screen_ == 0) return;
  fmt::print(stderr, "\r{}\r", std::string(on_screen_, ' '));
  on_screen_ = 0;
}

}  // namespace tenure::cli
