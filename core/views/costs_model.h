// View `costs`: what each line of the IR, and of the CUDA, asks of the banks of shared memory, and
// the registers that fragments and arrays of threads hold there.
//
//     IR  CUDA  line  registers  bytes a lane  passes a warp  conflicts            statement
//     74  238   71    328        16            4              none       reads K   T.ldmatrix(...)
#pragma once

#include "core/views/view.h"

namespace tilescope {

// Of one access of a statement to shared memory.
struct AccessCost {
  BufferId buffer;
  std::string name;
  bool isWrite = false;
  int64_t laneBytes = 0;
  int64_t passes = 0; // of the warp that takes most; 0: not known
  int64_t leastPasses = 0;
};

struct CostRow {
  uint32_t irLine = 0;   // from 1
  uint32_t cudaLine = 0; // the first of the statement; 0: none, or the CUDA is of a later state
  StmtId stmt;
  KernelLine sourceLine;
  std::string text;
  std::vector<AccessCost> accesses;
  int64_t registers = 0; // live, of one thread
};

struct CostsView {
  std::string pass;
  std::vector<CostRow> rows; // lines that cost something; ascending
  int64_t mostRegisters = 0;
  uint32_t mostRegistersLine = 0; // the first IR line with so many; 0: none
  std::string summary;            // "": costs are known
};

CostsView buildCosts(const PassState &state);
void print(const CostsView &view, llvm::raw_ostream &out);

// nullptr: the line costs nothing.
const CostRow *costOfLine(const CostsView &view, uint32_t irLine);
const CostRow *costOfStmt(const CostsView &view, StmtId stmt);

// Of all accesses of the row, the one that has most conflicts: "16", "x8" (of least passes), "x1";
// "" where there is none.
struct CostText {
  std::string bytes;
  std::string degree;
  std::string registers;
  bool hasConflict = false;
};
CostText textOf(const CostRow &row);

template <typename Archive> void fields(Archive &archive, AccessCost &access) {
  archive("buffer", access.buffer);
  archive("name", access.name);
  archive("isWrite", access.isWrite);
  archive("laneBytes", access.laneBytes);
  archive("passes", access.passes);
  archive("leastPasses", access.leastPasses);
}

template <typename Archive> void fields(Archive &archive, CostRow &row) {
  archive("irLine", row.irLine);
  archive("cudaLine", row.cudaLine);
  archive("stmt", row.stmt);
  lineFields(archive, row.sourceLine);
  archive("text", row.text);
  archive("accesses", row.accesses);
  archive.always("registers", row.registers);
}

template <typename Archive> void fields(Archive &archive, CostsView &view) {
  archive("pass", view.pass);
  archive("rows", view.rows);
  archive.always("mostRegisters", view.mostRegisters);
  archive("mostRegistersLine", view.mostRegistersLine);
  archive("summary", view.summary);
}

} // namespace tilescope
