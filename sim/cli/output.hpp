// Files that are written whole or not at all, and the terminal.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"

namespace tenure::cli {

bool colour_on(const CommonFlags& flags, int fd);

// A `-w FORMAT=PATH`.
struct WriteRequest {
  std::string format;
  std::string path;  // "-": the standard output
};

// The requests of a command line; nothing: one is not understood, and that was printed.
std::optional<std::vector<WriteRequest>> write_requests(const CommonFlags& flags,
                                                        const std::vector<std::string>& formats);

// A file under a temporary name beside its own, renamed when it is complete: an interrupted or
// failed run leaves no half file. A device or pipe is written directly.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // False: it cannot be opened, which was printed with what follows from it.
  bool is_open(std::string_view consequence);

  void write(std::string_view text);

  // Completes the file. False: something went wrong, which was printed together with what is lost.
  bool commit(std::string_view what_it_is);

 private:
  bool failed(const std::string& consequence);

  std::string path_;
  std::string temporary_;  // empty: written directly
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

}  // namespace tenure::cli
