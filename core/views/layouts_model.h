// View `layouts`: where each element of a tile lies, as a grid, and what each access to shared
// memory costs its banks.
//
//     C_local  float32, fragment(2@t32 2@r2 8@t4 | 4@t1 2@r1)
//             0     1     2          thread and register of each element
//       0  t0r0  t0r1  t1r0  ...
#pragma once

#include "core/views/view.h"

namespace tilescope {

// What one statement does to a buffer in shared memory.
struct LayoutAccess {
  StmtId stmt;
  KernelLine sourceLine;
  std::string text; // first IR line
  bool isWrite = false;
  int64_t laneBytes = 0;
  int64_t passes = 0; // of the warp that takes most; 0: not known
  int64_t leastPasses = 0;
};

struct LayoutRow {
  std::string label; // the row
  std::vector<std::string> cells;
};

struct LayoutOfBuffer {
  BufferId buffer;
  std::string name;
  std::string type;   // "float16"
  std::string layout; // as the IR says it
  std::string cells;  // what the cells say: "thread and register", "first bank of 16 bytes"
  std::vector<std::string> columns;
  std::vector<LayoutRow> rows;
  bool isPart = false; // there are more rows or columns
  std::vector<LayoutAccess> accesses;
};

struct LayoutsView {
  std::string pass;
  std::vector<LayoutOfBuffer> buffers;
  std::string summary; // "": there are layouts
};

LayoutsView buildLayouts(const PassState &state);
void print(const LayoutsView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, LayoutAccess &access) {
  archive("stmt", access.stmt);
  lineFields(archive, access.sourceLine);
  archive("text", access.text);
  archive("isWrite", access.isWrite);
  archive("laneBytes", access.laneBytes);
  archive("passes", access.passes);
  archive("leastPasses", access.leastPasses);
}

template <typename Archive> void fields(Archive &archive, LayoutRow &row) {
  archive("label", row.label);
  archive("cells", row.cells);
}

template <typename Archive> void fields(Archive &archive, LayoutOfBuffer &buffer) {
  archive("buffer", buffer.buffer);
  archive("name", buffer.name);
  archive("type", buffer.type);
  archive("layout", buffer.layout);
  archive("cells", buffer.cells);
  archive("columns", buffer.columns);
  archive("rows", buffer.rows);
  archive("isPart", buffer.isPart);
  archive("accesses", buffer.accesses);
}

template <typename Archive> void fields(Archive &archive, LayoutsView &view) {
  archive("pass", view.pass);
  archive("buffers", view.buffers);
  archive("summary", view.summary);
}

} // namespace tilescope
