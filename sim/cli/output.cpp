#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tenure/base/text.hpp>

namespace tenure::cli {
namespace {

bool is_regular_or_new(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

std::optional<std::vector<WriteRequest>> write_requests(const CommonFlags& flags,
                                                        const std::vector<std::string>& formats) {
  std::vector<WriteRequest> requests;
  const std::vector<std::string_view> words{formats.begin(), formats.end()};
  for (const std::string& argument : flags.writes) {
    const std::size_t equals = argument.find('=');
    const std::string format = argument.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == argument.size()) {
      usage_error("E0004", fmt::format("-w {} names no file", tenure::quoted(argument)),
                  {"write: -w json=PATH"});
      return std::nullopt;
    }
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
      usage_error("E0004",
                  fmt::format("-w {} is not a format of this command{}", tenure::quoted(format),
                              suggestion(format, words)),
                  {formats.empty() ? std::string{"it writes to the standard output alone"}
                                   : fmt::format("formats here: {}", fmt::join(formats, ", "))});
      return std::nullopt;
    }
    const std::string path = argument.substr(equals + 1);
    if (std::any_of(requests.begin(), requests.end(),
                    [&](const WriteRequest& other) { return other.path == path; })) {
      usage_error("E0004", fmt::format("-w names {} twice", tenure::quoted(path)),
                  {"each output needs a file of its own"});
      return std::nullopt;
    }
    requests.push_back({format, path});
  }
  return requests;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  if (is_regular_or_new(path_)) temporary_ = fmt::format("{}.{}.part", path_, getpid());
  file_ = std::fopen((temporary_.empty() ? path_ : temporary_).c_str(), "wb");
  if (file_ == nullptr) error_ = errno;
}

OutputFile::~OutputFile() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

bool OutputFile::is_open(std::string_view consequence) {
  return file_ != nullptr || failed(std::string{consequence});
}

void OutputFile::write(std::string_view text) {
  if (file_ == nullptr || error_ != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) error_ = errno;
}

bool OutputFile::commit(std::string_view what_it_is) {
  const std::string loss = fmt::format("lost: {}", what_it_is);
  if (file_ == nullptr || error_ != 0) return failed(loss);
  if (std::fflush(file_) != 0) error_ = errno;
  if (file_ == stdout) return error_ == 0 || failed(loss);
  if (std::fclose(std::exchange(file_, nullptr)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)
    error_ = errno;
  return error_ == 0 || failed(loss);
}

bool OutputFile::failed(const std::string& consequence) {
  if (!temporary_.empty()) std::remove(temporary_.c_str());
  usage_error("E0502", fmt::format("cannot write {}: {}", visible(path_), std::strerror(error_)),
              {consequence});
  return false;
}

}  // namespace tenure::cli
