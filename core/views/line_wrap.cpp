#include "core/views/line_wrap.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr uint32_t LeastWidth = 8; // of a part
constexpr uint32_t Indent = 4;     // of later parts, more than the line has

bool isContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

uint32_t widthOf(char byte) { return isContinuation(byte) ? 0 : byte == '\t' ? TabWidth : 1; }

uint32_t indentOf(llvm::StringRef line) {
  uint32_t indent = 0;
  for (char byte : line.take_while([](char c) { return c == ' ' || c == '\t'; }))
    indent += widthOf(byte);
  return indent;
}

// The end of what fits from `begin` on, at least one character.
uint32_t endOfPart(llvm::StringRef line, uint32_t begin, uint32_t width) {
  uint32_t used = 0, end = begin, breakable = begin;
  auto size = static_cast<uint32_t>(line.size());
  while (end != size && (end == begin || used + widthOf(line[end]) <= width)) {
    used += widthOf(line[end]);
    bool isSeparator = line[end] == ' ' || line[end] == ',' || line[end] == '(';
    ++end;
    if (isSeparator && used > width / 2)
      breakable = end;
  }
  while (end != size && isContinuation(line[end]))
    ++end;
  return end != size && breakable != begin ? breakable : end;
}

} // namespace

std::vector<WrappedPart> wrapLine(llvm::StringRef line, uint32_t width) {
  width = std::max(width, LeastWidth);
  std::vector<WrappedPart> parts;
  auto size = static_cast<uint32_t>(line.size());
  uint32_t later = std::min(indentOf(line) + Indent, width / 2);
  uint32_t begin = 0;
  do {
    uint32_t indent = begin == 0 ? 0 : later;
    uint32_t end = endOfPart(line, begin, width - indent);
    parts.push_back({{begin, end}, indent});
    begin = end;
  } while (begin != size);
  return parts;
}

} // namespace tilescope
