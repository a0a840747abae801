// Makes the tree of a document from the events of a parser, and enforces every limit while they
// arrive: what a limit refuses is never built.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tenure/scenario/document.hpp>

namespace tenure::scenario {

class TreeBuilder {
 public:
  TreeBuilder(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  void begin_document();
  Document end_document();
  bool has_root() const { return root_ != nullptr; }

  // Each returns false when a limit was reached and reading must stop.
  bool begin(Node::Kind kind, Position where, std::string anchor = {});
  bool end();
  bool text(std::string text, bool was_quoted, Position where, std::string anchor = {});
  bool nothing(Position where, std::string anchor = {});
  bool alias(const std::string& anchor, Position where);

  // Is the next event a key?
  bool expects_key() const;
  void key(std::string key, Position where);

  void error(std::string code,
             Position where,
             std::string text,
             std::vector<std::string> hints = {});
  bool stopped() const { return stopped_; }

 private:
  struct Open {
    std::shared_ptr<Node> node;
    std::string anchor;
    std::map<std::string, Position> keys;
    Entry entry;  // the one whose value comes next
    bool has_key = false;
    bool ignored = false;  // the value belongs to a key that was refused
    bool is_key = false;   // a map or list in the place of a key
  };

  bool count(std::size_t nodes, Position where);
  bool place(NodePointer node, const std::string& anchor);
  bool stop(std::string code,
            Position where,
            std::string text,
            std::vector<std::string> hints = {});

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::vector<Open> open_;
  std::map<std::string, NodePointer> anchors_;
  NodePointer root_;
  std::size_t nodes_ = 0;
  bool stopped_ = false;
};

// The parsers; they add what they find to `documents`.
void parse_yaml(std::shared_ptr<const SourceText> source,
                std::vector<Document>& documents,
                Diagnostics& diagnostics);
void parse_json(std::shared_ptr<const SourceText> source,
                bool comments,
                std::vector<Document>& documents,
                Diagnostics& diagnostics);

}  // namespace tenure::scenario
