// What a user is told about input that cannot be used: where, what was found, what would be right.
// Form: FILE:LINE:COLUMN: LEVEL[CODE]: TEXT, the line, a caret, hints.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tenure {

// A place in a text; lines and columns count from 1, columns in code points. Line 0: the file
// itself.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;
  std::size_t length = 1;  // code points to underline

  friend bool operator==(const Position&, const Position&) = default;
};

struct Diagnostic {
  enum class Level { error, warning };

  Level level = Level::error;
  std::string code;  // "E0201"; its meaning never changes
  std::string file;  // as the user named it; empty: the command line
  Position where;
  std::string text;
  std::string line;                // the source line, for the caret; may be empty
  std::size_t line_begins_at = 1;  // the column of its first code point, when only a part is kept
  std::vector<std::string> hints;  // each printed behind "= "
};

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) {
    if (diagnostic.level == Diagnostic::Level::error) ++errors_;
    all_.push_back(std::move(diagnostic));
  }
  const std::vector<Diagnostic>& all() const { return all_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return all_.size() - errors_; }

 private:
  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

// The diagnostic as text, several lines, ending in a newline; without colours. Whatever a user
// wrote is shown with its control characters made visible.
std::string rendered(const Diagnostic& diagnostic);

// All of them in the order of the files and lines, at most 20 errors of each file, and a last line
// that counts the errors. Empty when there is nothing to say.
std::string rendered(const Diagnostics& diagnostics);

}  // namespace tenure
