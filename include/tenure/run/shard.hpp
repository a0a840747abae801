// Parts of a sweep or of a scenario's runs, as files: `kind: Shard`. A shard carries the texts it
// was made from, so that shards are joined from themselves alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <tenure/base/diagnostics.hpp>
#include <tenure/run/sweep.hpp>
#include <tenure/scenario/sweep.hpp>

namespace tenure::run {

struct ShardFile {
  std::string name;  // the file, for messages
  std::string version;
  std::string sha256;          // of the input, as the file claims; empty: nothing is claimed
  scenario::SweepInput input;  // of a plain scenario without the sweep's part
  Shard shard;
  std::vector<Unit> units;
};

// What the points of a sweep are made from, as shards and results carry it.
nlohmann::ordered_json input_json(const scenario::SweepInput& input);

using ShardSink = std::function<void(std::string_view)>;

void write_shard(const ShardFile& shard, const ShardSink& sink);

// Nothing: it is no shard of this version, which was reported.
std::optional<ShardFile> read_shard(const std::string& name,
                                    const nlohmann::ordered_json& json,
                                    Diagnostics& diagnostics);

struct Joined {
  scenario::SweepInput input;
  scenario::SweepPlan plan;
  std::vector<Unit> units;             // in order of number
  std::vector<std::uint64_t> missing;  // numbers
};

// All units of shards of one sweep. Nothing: they do not belong together (E0702), one is there
// twice (E0703), or one does not fit its sweep (E0701), which was reported by the names of the
// files.
std::optional<Joined> joined(std::vector<ShardFile> shards, Diagnostics& diagnostics);

// What is missing, in words: "point L=6s R=1s runs 256 .. 511"; and the shards it would be in,
// where the count of shards is known.
std::vector<std::string> missing_text(const Joined& joined, std::uint64_t shards);

}  // namespace tenure::run
