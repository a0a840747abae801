#include "packed.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>

#include <zlib.h>

namespace tenure::conformance {

std::string read_packed(const std::filesystem::path& path) {
  const gzFile file = gzopen(path.c_str(), "rb");  // reads plain files too
  if (file == nullptr) throw std::runtime_error("cannot open " + path.string());
  std::string content;
  std::array<char, 1 << 16> block{};
  int count = 0;
  while ((count = gzread(file, block.data(), block.size())) > 0) {
    content.append(block.data(), static_cast<std::size_t>(count));
  }
  gzclose(file);
  if (count < 0) throw std::runtime_error("cannot unpack " + path.string());
  return content;
}

}  // namespace tenure::conformance
