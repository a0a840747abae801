// A first scenario for a well-known component: what `tenure init` prints and `tenure run --preset`
// runs.
#pragma once

#include <string>
#include <string_view>

#include <tenure/scenario/preset.hpp>

namespace tenure::scenario {

// Whether the preset's elector is part of this version; the others have no starter.
bool has_starter(const Preset& preset);

// A commented scenario in YAML: the preset's election, a fault of type `fault` on its leader
// (empty: none), and what the closed forms say must hold then. `fault` is a modelled one, and the
// preset has a starter.
std::string starter(const Preset& preset, std::string_view fault);

}  // namespace tenure::scenario
