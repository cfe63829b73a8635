// Source files and the spans that point into them.
#pragma once

#include "core/support/ids.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope {

// A half-open range of source text: from (line, column) up to, not including, (endLine, endColumn).
// Lines and columns count from 1, columns in bytes. line == 0 means "no source".
struct Span {
  FileId file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;

  bool isValid() const { return line != 0; }
  friend bool operator==(const Span &, const Span &) = default;
};

// From the start of `first` to the end of `last`; whichever is invalid is ignored.
Span join(const Span &first, const Span &last);

struct SourceFile {
  std::string path; // as the user wrote it
  std::string text;
};

// Owns the text of every file of a compile. Addresses of `SourceFile` are stable.
class SourceFiles {
public:
  FileId add(std::string path, std::string text);
  // Text of a file without a place on disk, e.g. an edited snapshot; `name` is shown in messages.
  const SourceFile &get(FileId id) const { return *files_[id.value]; }
  size_t size() const { return files_.size(); }
  // Line `line` (from 1) without its newline; empty when out of range.
  std::string_view lineText(FileId id, uint32_t line) const;

private:
  std::vector<std::unique_ptr<SourceFile>> files_;
};

} // namespace tilescope
