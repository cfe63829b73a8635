#include "viewer/panels/widgets/text_line.h"

#include "viewer/panels/widgets/wrapped_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace tilescope {

namespace {

// Tabs and what is not ASCII are as wide as the font says.
bool isPlain(llvm::StringRef text) {
  return llvm::all_of(text, [](char byte) { return byte >= ' ' && byte < 0x7f; });
}

ImVec2 below(ImVec2 topLeft, float width, float height) {
  return {topLeft.x + width, topLeft.y + height};
}

bool isSeen(const TextLine &line, uint32_t begin, uint32_t end) {
  return begin < line.shown().end && line.shown().begin < end;
}

void fillSpan(ImDrawList &list, const TextStyle &style, const TextLine &line, TextSpan span,
              ImVec2 topLeft, ImU32 color) {
  if (!isSeen(line, span.begin, span.end))
    return;
  float begin = xOfByte(style, line, span.begin);
  float end = xOfByte(style, line, span.end);
  ImVec2 from(topLeft.x + begin, topLeft.y);
  list.AddRectFilled(from, below(from, end - begin, style.lineHeight), color);
}

Meaning meaningOf(SyntaxKind kind) {
  static constexpr Meaning Meanings[] = {Meaning::Quiet, Meaning::String, Meaning::Number,
                                         Meaning::Keyword, Meaning::Quiet};
  return Meanings[static_cast<size_t>(kind)];
}

Meaning wordMeaning(RowKind kind) {
  return kind == RowKind::Removed ? Meaning::RemovedWord
         : kind == RowKind::Added ? Meaning::AddedWord
                                  : Meaning::ModifiedWord;
}

// An outline besides the hue, so that colour alone says nothing.
void outlineName(ImDrawList &list, const TextStyle &style, const TextLine &line,
                 const BufferSpan &name, int hueDegrees, ImVec2 topLeft) {
  bool isPinned = style.pinned.names(name);
  if ((!isPinned && !style.hovered.names(name)) || !isSeen(line, name.begin, name.end))
    return;
  float begin = xOfByte(style, line, name.begin);
  float end = xOfByte(style, line, name.end);
  ImVec2 from(topLeft.x + begin - style.theme.scale, topLeft.y);
  ImVec2 to(topLeft.x + end + style.theme.scale, topLeft.y + style.lineHeight);
  bool isSure = !name.isComputed || !style.pinned.hasVersion();
  list.AddRectFilled(from, to,
                     style.theme.bufferFill(hueDegrees, isPinned && isSure ? 0.85F : 0.5F), 2);
  list.AddRect(from, to, style.theme.bufferLine(hueDegrees), 2, 0, style.theme.scale);
}

void paint(llvm::MutableArrayRef<ImU32> colors, TextSpan span, ImU32 color) {
  auto end = std::min<size_t>(span.end, colors.size());
  for (size_t byte = span.begin; byte < end; ++byte)
    colors[byte] = color;
}

// A colour a byte, without what is known of buffers.
llvm::SmallVector<ImU32, 256> syntaxColors(const TextStyle &style, const TextLine &line) {
  bool isQuiet = line.number == 0 || line.isQuiet || isComment(line.text);
  llvm::SmallVector<ImU32, 256> colors(line.text.size(),
                                       style.theme.color(isQuiet ? Meaning::Quiet : Meaning::Text));
  if (isQuiet)
    return colors;
  CodeState state = line.state;
  for (const SyntaxSpan &part : syntaxOf(line.text, line.language, state))
    paint(colors, part.span, style.theme.color(meaningOf(part.kind)));
  return colors;
}

// The name of a function changes when host and device are split.
bool isAlike(const BufferKey &a, const BufferKey &b) {
  return a.sourceName == b.sourceName && a.ordinal == b.ordinal && a.role == b.role;
}

} // namespace

bool isComment(llvm::StringRef text) {
  llvm::StringRef trimmed = text.ltrim();
  return trimmed.starts_with("#") || trimmed.starts_with("//");
}

TextPick::TextPick(const Pick &pick, const std::vector<NamedBuffer> &buffers)
    : version_(pick.version), stmt_(pick.stmt), sourceLine_(pick.sourceLine.number) {
  if (!pick.buffer)
    return;
  std::vector<BufferId> ofOtherFunctions;
  for (const NamedBuffer &buffer : buffers) {
    if (!isAlike(buffer.key, *pick.buffer))
      continue;
    bool isExact = buffer.key.function == pick.buffer->function;
    (isExact ? buffers_ : ofOtherFunctions).push_back(buffer.id);
  }
  if (buffers_.empty())
    buffers_ = std::move(ofOtherFunctions);
}

bool TextPick::names(const BufferSpan &span) const {
  // A name without a version may mean any.
  bool isVersion = version_ < 0 || !span.version || *span.version == version_;
  return isVersion && llvm::binary_search(buffers_, span.buffer);
}

bool TextPick::isOfBuffer(const BufferSpan &span) const {
  return llvm::binary_search(buffers_, span.buffer);
}

// A declaration names the buffer as a whole too:
//
//     half *const K_shared_v1 = K_shared + 1 * K_shared_slot;
TextPick::Use TextPick::useIn(const TextLine &line) const {
  Use use = Use::No;
  if (!hasVersion() || isComment(line.text))
    return use;
  for (const BufferSpan &span : line.names) {
    if (!isOfBuffer(span))
      continue;
    if (!span.version && !span.isComputed)
      return Use::No;
    if (span.version == version_)
      use = Use::Yes;
    else if (span.isComputed && use == Use::No)
      use = Use::Maybe;
  }
  return use;
}

bool TextPick::names(const TextLine &line) const {
  return !buffers_.empty() &&
         llvm::any_of(line.names, [&](const BufferSpan &span) { return names(span); });
}

bool TextPick::isAt(const TextLine &line) const {
  if (stmt_.isValid() && line.stmt.isValid())
    return line.stmt == stmt_;
  return sourceLine_ != 0 && line.sourceLine.number == sourceLine_;
}

bool TextPick::isNear(const TextLine &line) const {
  return isAt(line) || (sourceLine_ != 0 && line.sourceLine.number == sourceLine_);
}

float xOfByte(const TextStyle &style, const TextLine &line, uint32_t byte) {
  TextSpan shown = line.shown();
  llvm::StringRef before = line.text.slice(shown.begin, std::clamp(byte, shown.begin, shown.end));
  float indent = style.charWidth * static_cast<float>(line.indent);
  return indent + (isPlain(before) ? style.charWidth * static_cast<float>(before.size())
                                   : pixelWidthOf(before));
}

uint32_t byteAt(const TextStyle &style, const TextLine &line, float x) {
  x -= style.charWidth * static_cast<float>(line.indent);
  llvm::StringRef text = line.text.slice(line.shown().begin, line.shown().end);
  if (x < 0)
    return line.shown().begin;
  auto size = static_cast<uint32_t>(text.size());
  if (isPlain(text))
    return line.shown().begin + std::min(size, static_cast<uint32_t>(x / style.charWidth));
  uint32_t byte = 0;
  while (byte < size && pixelWidthOf(text.take_front(byte + 1)) <= x)
    ++byte;
  return line.shown().begin + byte;
}

void drawLineBackground(ImDrawList &list, const TextStyle &style, const TextLine &line,
                        ImVec2 topLeft, ImVec2 bottomRight) {
  auto fill = [&](Meaning meaning, float alpha = 1) {
    list.AddRectFilled(topLeft, bottomRight, style.theme.color(meaning, alpha));
  };
  if (line.kind == RowKind::Added)
    fill(Meaning::Added);
  if (line.kind == RowKind::Removed)
    fill(Meaning::Removed);
  if (line.kind == RowKind::Modified)
    fill(Meaning::Modified);
  if (style.pinned.isNear(line))
    fill(Meaning::Selected, style.pinned.isAt(line) ? 1 : 0.5F);
  else if (style.hovered.isNear(line))
    fill(Meaning::Hovered);
  if (style.pinned.isAt(line))
    list.AddRectFilled(topLeft, {topLeft.x + 2 * style.theme.scale, bottomRight.y},
                       style.theme.color(Meaning::Accent));
}

void drawLineText(ImDrawList &list, const TextStyle &style, const TextLine &line, ImVec2 topLeft) {
  const Theme &theme = style.theme;
  for (TextSpan span : line.changedWords)
    fillSpan(list, style, line, span, topLeft, theme.color(wordMeaning(line.kind)));
  if (style.query)
    for (TextSpan span : style.query->find(line.text))
      fillSpan(list, style, line, span, topLeft, theme.color(Meaning::Hit));
  llvm::SmallVector<ImU32, 256> colors = syntaxColors(style, line);
  for (const BufferSpan &name : line.names) {
    const NamedBuffer *buffer = findBuffer(style.buffers, name.buffer);
    if (!buffer)
      continue;
    outlineName(list, style, line, name, buffer->hueDegrees, topLeft);
    if (buffer->isShared)
      paint(colors, {name.begin, name.end}, theme.bufferLine(buffer->hueDegrees));
  }
  TextSpan shown = line.shown();
  for (uint32_t begin = shown.begin, end = begin; begin != shown.end; begin = end) {
    while (end != shown.end && colors[end] == colors[begin])
      ++end;
    llvm::StringRef piece = line.text.slice(begin, end);
    list.AddText({topLeft.x + xOfByte(style, line, begin), topLeft.y}, colors[begin], piece.begin(),
                 piece.end());
  }
  if (!line.hasError)
    return;
  float begin = xOfByte(style, line, shown.begin), end = xOfByte(style, line, shown.end);
  float y = topLeft.y + style.lineHeight - theme.scale;
  list.AddLine({topLeft.x + begin, y}, {topLeft.x + end, y}, theme.color(Meaning::Bad),
               theme.scale);
}

void drawLineMark(ImDrawList &list, const TextStyle &style, RowKind kind, ImVec2 topLeft) {
  static constexpr const char *Marks[] = {" ", "-", "+", "~"};
  static constexpr Meaning Colors[] = {Meaning::Quiet, Meaning::Bad, Meaning::Good,
                                       Meaning::Notice};
  if (kind != RowKind::Same)
    list.AddText(topLeft, style.theme.color(Colors[static_cast<size_t>(kind)]),
                 Marks[static_cast<size_t>(kind)]);
}

} // namespace tilescope
