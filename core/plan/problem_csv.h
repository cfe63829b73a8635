// Arena problems and plans as CSV, in the format of minimalloc
// (https://github.com/google/minimalloc, "Input format"):
//
//     id,lower,upper,size,alignment,gaps,offset
//     b1,0,10,4096,1024,3-5,
//
// Columns stand in any order; id, lower, upper and size must be there. Lifetimes and gaps are
// half-open, [lower, upper) and a-b for [a, b), several gaps separated by spaces; a column `end`
// instead of `upper` makes both inclusive. An offset pins the buffer there. Columns of other names
// are kept and not read. Fields may be quoted (core/support/csv_line.h). A plan is the same table
// with its offsets filled in, so it can be read back, and then every buffer is pinned.
#pragma once

#include "core/access/arena_plan.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilescope {

struct CsvProblem {
  // Buffers in the order of the rows, BufferId(0) first. Points are ranks of the times of the file.
  ArenaProblem problem;
  std::vector<int64_t> times;                 // per point: its time in the file
  std::vector<std::string> header;            // as written, without blanks and quotes around names
  std::vector<std::vector<std::string>> rows; // one field a column
  std::vector<uint32_t> rowLines;             // where they stand in the file, from 1
};

// The error says `path`, line and cause. Numbers are not negative; all sizes, alignments and
// offsets together are at most 16 TiB, buffers at most 100,000.
llvm::Expected<CsvProblem> readProblemCsv(llvm::StringRef text, llvm::StringRef path);

// The rows with the offsets of `plan`, in a column `offset` that is added at the end if missing.
std::string writePlanCsv(const CsvProblem &csv, const ArenaPlan &plan);

} // namespace tilescope
