// The files that the arguments of `check` stand for: a file stands for itself, a folder for the
// scenario files in it and in its folders.
#pragma once

#include <string>
#include <vector>

#include <tenure/base/diagnostics.hpp>

namespace tenure::cli {

struct Gathered {
  std::string path;
  bool in_folder = false;  // nobody named it: it may be something else
};

// In the order of the arguments, a folder's by the bytes of their paths; each once. A folder that
// cannot be read is reported. Names that begin with a dot, and symbolic links to folders, are left
// alone.
std::vector<Gathered> gathered(const std::vector<std::string>& arguments, Diagnostics& diagnostics);

}  // namespace tenure::cli
