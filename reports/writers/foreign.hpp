#pragma once

// Text for formats that others read: whatever a name holds, it stays a text there.

#include <cstddef>
#include <string>
#include <string_view>

namespace tenure::report {

// Valid UTF-8 of at most `most` code points, cut with "..."; control, invisible and
// direction-changing characters are made visible.
std::string printable(std::string_view raw, std::size_t most);

// For the text and the attributes of XML 1.0; line feeds stay in a text.
std::string xml(std::string_view printable_text);

// For the message of a workflow command, and for the values of its properties.
std::string command_text(std::string_view text);
std::string command_property(std::string_view printable_text);

// For a cell of a Markdown table: as plain text, and as code.
std::string markdown(std::string_view printable_text);
std::string markdown_code(std::string_view printable_text);

// A field of RFC 4180, in quotes where it needs them.
std::string csv_field(std::string_view printable_text);

// "./deploy/x.yaml" is deploy/x.yaml to whoever looks for it in a repository.
std::string repository_path(std::string_view file);

}  // namespace tenure::report
