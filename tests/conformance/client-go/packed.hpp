// Files as the recorder's scripts pack them.
#pragma once

#include <filesystem>
#include <string>

namespace tenure::conformance {

inline const std::filesystem::path client_go_folder = "tests/conformance/client-go";

// The content of a file that may be packed with gzip.
std::string read_packed(const std::filesystem::path& path);

}  // namespace tenure::conformance
