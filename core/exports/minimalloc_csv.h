// The arena of one kernel in the format of minimalloc (core/plan/problem_csv.h), both ways.
//
//     id,lower,upper,size,alignment,gaps,versions,offset
//     Q_shared,0,16,32768,16,,1,0
//     K_shared,1,12,65536,16,,2,32768
//
// Times are program points. A buffer that is never live has one gap, its whole life. Programs that
// do not know the column `versions` pass it over.
#pragma once

#include "core/plan/problem_csv.h"
#include "core/trace/trace.h"

namespace tilescope {

// The plan, or the preview. Ids are names of buffers within the function, as nameInFunction gives
// them. The error names a buffer that the format cannot hold: sized at launch, or with a comma in
// its name.
llvm::Expected<std::string> minimallocCsv(const TraceSnapshot &snapshot, const ArenaRecord &arena);

struct ImportedFile {
  std::string path;
  std::string text;
  std::string function;      // that the arena is said to be of
  int64_t capacityBytes = 0; // 0: unlimited
};

// A trace of one pass, `import`, whose program writes each buffer where a life of it begins and
// reads it where that ends, with the arena that the file gives: with its offsets if all rows have
// one, and checked; else a preview with a plan of ours.
//
// Times up to 100,000 are the program points; later ones are counted in their order. The same file
// gives the same trace, and its minimalloc CSV is the file again, if that has our columns, all
// offsets, and such times. The error says which limit of a trace the problem exceeds.
llvm::Expected<Trace> traceOfProblem(const CsvProblem &csv, const ImportedFile &file);

} // namespace tilescope
