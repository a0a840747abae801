// The style sheets and the script of pages, which the build takes from reports/assets.
#pragma once

#include <string_view>

namespace tenure::report::assets {

extern const std::string_view chart_css;   // of charts, in pages and alone
extern const std::string_view report_css;  // of pages
extern const std::string_view report_js;

}  // namespace tenure::report::assets
