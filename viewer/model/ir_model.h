// Panel `ir`: the IR after a pass, each line with the id and source line of its statement.
#pragma once

#include "viewer/model/view.h"

namespace tilescope {

struct IrLine {
  std::string text;
  StmtId stmt;
  BufferId buffer;
  uint32_t sourceLine = 0; // 0: none
  bool isNew = false;      // not there before the pass
};

struct IrView {
  std::string pass;
  std::vector<IrLine> lines;
};

IrView buildIr(const Trace &trace, const Selection &selection);
void print(const IrView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, IrLine &line) {
  archive("text", line.text);
  archive("stmt", line.stmt);
  archive("buffer", line.buffer);
  archive("sourceLine", line.sourceLine);
  archive("isNew", line.isNew);
}

template <typename Archive> void fields(Archive &archive, IrView &view) {
  archive("pass", view.pass);
  archive("lines", view.lines);
}

} // namespace tilescope
