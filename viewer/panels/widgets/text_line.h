// One line of code: its words in the colours of what they mean, and what is emphasised.
#pragma once

#include "core/support/text_query.h"
#include "core/views/buffer_names.h"
#include "core/views/line_alignment.h"
#include "core/views/selection.h"
#include "core/views/syntax.h"
#include "viewer/panels/theme.h"

#include <optional>

namespace tilescope {

// As a pane draws it; points into the view.
struct TextLine {
  llvm::StringRef text;
  uint32_t number = 0; // from 1; 0: a heading
  StmtId stmt;
  KernelLine sourceLine;
  RowKind kind = RowKind::Same;
  llvm::ArrayRef<TextSpan> changedWords;
  llvm::ArrayRef<BufferSpan> names;
  llvm::StringRef before; // Modified: what it was
  bool hasError = false;
  CodeLanguage language = CodeLanguage::None;
  CodeState state = CodeState::Code; // what it begins inside of
  bool isQuiet = false;              // metadata: a change of it is no change to go to
  // Of a line that takes several rows: what of the text this one shows, and where that begins.
  std::optional<TextSpan> part = {}; // nullopt: all
  uint32_t indent = 0;               // characters
  bool isContinued = false;          // it is not the first of them

  TextSpan shown() const { return part.value_or(TextSpan{0, static_cast<uint32_t>(text.size())}); }
};

// What a pick means in a text: the ids of the buffer in this snapshot, the statement, the line.
class TextPick {
public:
  TextPick() = default;
  // Buffers are matched by identity, so that they are found in the texts of other passes.
  TextPick(const Pick &pick, const std::vector<NamedBuffer> &buffers);

  bool hasBuffer() const { return !buffers_.empty(); }
  bool names(const BufferSpan &span) const;
  bool names(const TextLine &line) const;
  // Whether one version of a buffer is picked.
  bool hasVersion() const { return version_ >= 0 && hasBuffer(); }
  // Whether a line reads or writes that version; Maybe: the version is chosen at run time. What
  // declares a name for it does neither.
  enum class Use : uint8_t { No, Maybe, Yes };
  Use useIn(const TextLine &line) const;
  int64_t version() const { return version_; }
  bool isOfBuffer(const BufferSpan &span) const;
  // Whether the line is of the statement, else of the source line where no statement is known.
  bool isAt(const TextLine &line) const;
  // Whether the line is of the statement itself.
  bool isOfStatement(const TextLine &line) const { return stmt_.isValid() && line.stmt == stmt_; }
  // As isAt, or of the same source line.
  bool isNear(const TextLine &line) const;

  friend bool operator==(const TextPick &, const TextPick &) = default;

private:
  std::vector<BufferId> buffers_; // ascending
  int64_t version_ = -1;
  StmtId stmt_;
  uint32_t sourceLine_ = 0;
};

// What all lines of a pane have in common.
struct TextStyle {
  const Theme &theme;
  const std::vector<NamedBuffer> &buffers; // by id
  const TextPick &pinned;
  const TextPick &hovered;
  const TextQuery *query = nullptr; // nullptr: nothing is searched for
  float charWidth = 0;              // pixels, of the current font, which is monospaced
  float lineHeight = 0;
  float paneWidth = 0;
};

// Whether the line is a comment, of Python or of C++, and nothing else.
bool isComment(llvm::StringRef text);

// Pixels from the beginning of the row to a byte of the line, and back; what the row does not show
// lies at its nearer end.
float xOfByte(const TextStyle &style, const TextLine &line, uint32_t byte);
uint32_t byteAt(const TextStyle &style, const TextLine &line, float x);

// What stands behind the text over the whole width, e.g. that the line was added.
void drawLineBackground(ImDrawList &list, const TextStyle &style, const TextLine &line,
                        ImVec2 topLeft, ImVec2 bottomRight);
void drawLineText(ImDrawList &list, const TextStyle &style, const TextLine &line, ImVec2 topLeft);
// '+', '-', '~', or nothing.
void drawLineMark(ImDrawList &list, const TextStyle &style, RowKind kind, ImVec2 topLeft);

} // namespace tilescope
