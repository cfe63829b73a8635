// The differences of one kernel as tables and sentences, for output of every kind.
#pragma once

#include "core/diff/diff_report.h"

namespace tilescope {

struct DiffTable {
  std::string title;
  std::vector<std::vector<std::string>> rows; // the first is the heading
  size_t leftColumns = 0;                     // the rest are numbers
};

// Settings, shared memory, who pays, buffers of shared memory; tables without a row are left out.
std::vector<DiffTable> tablesOf(const CompileDiff &diff);

// What is left: pipelines, barriers, copies, passes, CUDA. "barriers 3 -> 4"
std::vector<std::string> sentencesOf(const CompileDiff &diff);

// "gemm.py:matmul --set M=1024", and the function where a kernel has several.
struct DiffFigures {
  std::string kernel;
  std::string peak;     // "49,152 -> 65,536"
  std::string delta;    // "+16,384"; "" for none
  std::string capacity; // "40 %" of the target's; "" unlimited
  std::string blocks;   // "3 -> 2"
  std::string verdict;
};

// One a function that uses shared memory, one at least.
std::vector<DiffFigures> figuresOf(const KernelComparison &kernel);

// "blocks/SM by shared memory and threads": to be said where blocks of a kernel are shown.
std::string blocksNote();

} // namespace tilescope
