// How far a campaign is: one line rewritten on a terminal, a plain line every ten seconds
// elsewhere, nothing under -q. Goes to stderr.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <tenure/run/campaign.hpp>

#include "app.hpp"

namespace tenure::cli {

class Progress {
 public:
  Progress(const CommonFlags& flags, std::string name, std::uint64_t runs);

  void on(const run::CampaignResult& so_far);
  // The same for work that has no known end: what to show behind the name.
  void on(const std::function<std::string()>& text);
  void finish();

  double seconds() const;

 private:
  enum class Style : std::uint8_t { none, plain, bar };
  using Clock = std::chrono::steady_clock;

  std::string line(const run::CampaignResult& so_far) const;
  bool is_due();
  void show(const std::string& text);

  Style style_ = Style::none;
  std::string name_;
  std::uint64_t runs_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_ = started_;
  std::size_t on_screen_ = 0;  // columns of the line that is shown
};

}  // namespace tenure::cli
