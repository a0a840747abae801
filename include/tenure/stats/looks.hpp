// Looking at the samples before all runs are made. Whoever looks several times, and stops when the
// intervals please, errs more often than each interval says; so the k-th look takes only the part
// alpha / (k (k + 1)) of the error probability. The parts sum to alpha however many looks there
// are: the intervals of all of them hold jointly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tenure/stats/interval.hpp>

namespace tenure::stats {

// Of the look with this number, from 1: 0.025, 0.0083, 0.0042, ...
double alpha_of_look(std::size_t number, double alpha = usual_alpha);

// The numbers of runs at which is looked: those listed that are less than `runs`, or when none is
// listed 1000, 2000, 4000, ..., and `runs` at last. `listed` ascends.
std::vector<std::uint64_t> looks_up_to(std::uint64_t runs, std::span<const std::uint64_t> listed);

// The number of the look at so many runs, from 1; between two of them that of the later one.
std::size_t number_of_look(std::span<const std::uint64_t> looks, std::uint64_t runs);

}  // namespace tenure::stats
