// Transcripts: dialogues with a machine, kept as text, in the format of cockroachdb/datadriven.
//
//   # Lines before the first command of a block that start with # are kept as they are.
//   advance 2s
//   timer wait
//   ----
//   call get lease
//
// A block is one or more commands, a line of dashes and what they answered, up to an empty line.
// With TENURE_REWRITE=1 in the environment, the file gets the answers of today instead of being
// compared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace tenure::support {

// A line of input: a word, more words, and words of the form key=value.
struct Command {
  std::string name;
  std::vector<std::string> words;
  std::map<std::string, std::string> values;

  bool has(const std::string& key) const { return values.count(key) != 0; }
  std::string word(std::size_t i) const { return i < words.size() ? words[i] : std::string{}; }
  std::string value(const std::string& key, const std::string& otherwise) const {
    const auto found = values.find(key);
    return found == values.end() ? otherwise : found->second;
  }
};

inline Command parsed(const std::string& line) {
  std::istringstream stream{line};
  Command command;
  stream >> command.name;
  for (std::string word; stream >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      command.words.push_back(word);
    } else {
      command.values[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return command;
}

// Whoever answers the commands of one file; the answer is lines, each with its newline.
using Respondent = std::function<std::string(const Command&)>;

struct Block {
  std::string text;  // comments and commands, as written
  std::vector<std::string> commands;
  std::string expected;
  std::size_t line = 0;
};

inline std::vector<Block> blocks_of(std::istream& file) {
  std::vector<Block> blocks;
  Block block;
  bool answering = false;
  std::size_t number = 0;
  const auto finish = [&] {
    if (!block.text.empty()) blocks.push_back(block);
    block = {};
    answering = false;
  };
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (answering) {
      if (line.empty()) {
        finish();
      } else {
        block.expected += line + '\n';
      }
      continue;
    }
    if (line == "----") {
      answering = true;
      continue;
    }
    if (line.empty() && block.commands.empty()) {
      block.text += block.text.empty() ? "" : "\n";
      continue;
    }
    if (block.line == 0) block.line = number;
    block.text += line + '\n';
    if (!line.empty() && line.front() != '#') block.commands.push_back(line);
  }
  finish();
  return blocks;
}

inline void run_transcript(const std::filesystem::path& path, const Respondent& respond) {
  CAPTURE(path.string());
  std::ifstream file{path};
  REQUIRE(file.is_open());
  const std::vector<Block> blocks = blocks_of(file);
  file.close();
  const bool rewrites = std::getenv("TENURE_REWRITE") != nullptr;
  std::string rewritten;
  CHECK(!blocks.empty());
  for (const Block& block : blocks) {
    std::string answer;
    for (const std::string& line : block.commands) answer += respond(parsed(line));
    rewritten += (rewritten.empty() ? "" : "\n") + block.text;
    if (!block.commands.empty()) rewritten += "----\n" + answer;
    if (rewrites) continue;
    CAPTURE(block.line);
    CAPTURE(block.text);
    CHECK(answer == block.expected);
  }
  if (rewrites) std::ofstream{path} << rewritten;
}

// All files of a folder, in the order of their names, each with a respondent of its own.
inline void run_transcripts(const std::filesystem::path& folder,
                            const std::function<Respondent()>& make_respondent) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  CHECK(!paths.empty());
  for (const auto& path : paths) run_transcript(path, make_respondent());
}

}  // namespace tenure::support
