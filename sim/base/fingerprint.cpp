#include <algorithm>
#include <cstdint>

#include <tenure/base/fingerprint.hpp>

namespace tenure {

void Fingerprint::mix(std::uint64_t word) {
  hash_ ^= word + 0x9e3779b97f4a7c15U + (hash_ << 6) + (hash_ >> 2);
  hash_ = (hash_ ^ (hash_ >> 32)) * 0xd6e8feb86659fd93U;
  hash_ ^= hash_ >> 32;
}

void Fingerprint::absorb(Revision revision) {
  if (!ranked_) {
    revisions_.push_back(revision);
    return;
  }
  const auto place = std::lower_bound(revisions_.begin(), revisions_.end(), revision);
  mix(static_cast<std::uint64_t>(place - revisions_.begin()));
}

void Fingerprint::absorb(RequestId id) {
  const Request request{owner_, id};
  const auto seen = std::find(requests_.begin(), requests_.end(), request);
  mix(static_cast<std::uint64_t>(seen - requests_.begin()));
  if (seen == requests_.end()) requests_.push_back(request);
}

// Ends the first pass: from now on a revision is its rank, and hashing starts afresh. Revision 0
// ("none") always has rank 0, so that it is told apart from the oldest real one.
void Fingerprint::rank_revisions() {
  revisions_.push_back(Revision{});
  std::sort(revisions_.begin(), revisions_.end());
  revisions_.erase(std::unique(revisions_.begin(), revisions_.end()), revisions_.end());
  ranked_ = true;
  hash_ = 0;
  requests_.clear();
  owner_ = 0;
}

}  // namespace tenure
