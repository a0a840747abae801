// Values as Go prints them, for Prometheus' templates and messages are made by Go.
#pragma once

#include <string>
#include <string_view>

namespace tenure::alert {

// fmt's %v of a float64: the shortest digits that read back as the value.
std::string go_number(double value);

// fmt's %.4g, which humanize uses.
std::string go_four_digits(double value);

// strconv.Quote, for what a label may hold.
std::string go_quoted(std::string_view text);

}  // namespace tenure::alert
