// Rules that Prometheus takes and that do not say what their author meant.
#pragma once

#include <string>

#include <tenure/alert/promql.hpp>
#include <tenure/scenario/reader.hpp>
#include <tenure/scenario/scenario.hpp>

namespace tenure::scenario {

// Warns about the expression of an alert (W0401, W0402).
void lint(const Reader& at,
          const std::string& alert,
          const alert::Expr& expr,
          const Scenario& scenario);

}  // namespace tenure::scenario
