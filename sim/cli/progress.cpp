#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace tenure::cli {
namespace {

std::string bar_of(double share) {
  constexpr std::size_t width = 24;
  const auto filled = static_cast<std::size_t>(share * width);
  return std::string(filled, '#') + std::string(width - filled, '.');
}

}  // namespace

Progress::Progress(const CommonFlags& flags, std::string name, std::uint64_t runs)
    : name_(std::move(name)), runs_(std::max<std::uint64_t>(runs, 1)) {
  const char* ci = std::getenv("CI");
  const bool in_ci = ci != nullptr && *ci != '\0';
  if (flags.progress == "bar") style_ = Style::bar;
  if (flags.progress == "plain") style_ = Style::plain;
  if (flags.progress == "auto" && !flags.quiet) {
    style_ = isatty(STDERR_FILENO) != 0 && !in_ci ? Style::bar : Style::plain;
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

void Progress::show(const std::string& text) {
  if (style_ == Style::bar) {
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    on_screen_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

void Progress::finish() {
  if (on_screen_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace tenure::cli
