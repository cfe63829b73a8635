#include "core/support/source.h"

namespace tilescope {

Span join(const Span &first, const Span &last) {
  if (!first.isValid())
    return last;
  if (!last.isValid())
    return first;
  return {first.file, first.line, first.column, last.endLine, last.endColumn};
}

FileId SourceFiles::add(std::string path, std::string text) {
  files_.push_back(std::make_unique<SourceFile>(SourceFile{std::move(path), std::move(text)}));
  return FileId(static_cast<uint32_t>(files_.size() - 1));
}

std::string_view SourceFiles::lineText(FileId id, uint32_t line) const {
  if (!id.isValid() || id.value >= files_.size() || line == 0)
    return {};
  std::string_view text = files_[id.value]->text;
  for (uint32_t current = 1; current < line; ++current) {
    size_t newline = text.find('\n');
    if (newline == std::string_view::npos)
      return {};
    text.remove_prefix(newline + 1);
  }
  return text.substr(0, text.find('\n'));
}

} // namespace tilescope
