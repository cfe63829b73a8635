// The lines of a device function as they come: indented, each with the statement that it stands
// for and the shared buffers that it names. A block is a scope of names.
#pragma once

#include "core/codegen/cuda_names.h"
#include "core/ir/module.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope {

// A line of the emitted text, before it is broken to the column limit.
struct CudaTextLine {
  std::string text;
  StmtId stmt;
  Span span;
  std::vector<BufferId> buffers; // shared buffers that it names
};

class CudaLines {
public:
  explicit CudaLines(CudaNameScope &names) : names_(names) {}

  void line(std::string text);
  void blankLine() { lines_.push_back({}); }
  void openBlock(std::string head); // "head {", indents
  void elseBlock();                 // closes a block with "} else {"
  void closeBlock();

  // What the lines from here on stand for (null: nothing); returns what they stood for.
  const Stmt *setStatement(const Stmt *stmt) { return std::exchange(current_, stmt); }
  // The next line names this shared buffer.
  void nameShared(BufferId buffer) { namedShared_.push_back(buffer); }

  std::vector<CudaTextLine> take() { return std::move(lines_); }

private:
  CudaNameScope &names_;
  std::vector<CudaTextLine> lines_;
  int indent_ = 0;
  const Stmt *current_ = nullptr;
  std::vector<BufferId> namedShared_; // since the last line
};

} // namespace tilescope
