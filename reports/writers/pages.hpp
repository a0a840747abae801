// What the pages of results have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tenure/report/page.hpp>

namespace tenure::report {

// A timeline in a sentence, for who cannot see it.
std::string description_of(const Timeline& timeline);

// The command that shows a run again.
std::string replay_command(const run::RunResult& result, std::uint64_t number);

}  // namespace tenure::report
