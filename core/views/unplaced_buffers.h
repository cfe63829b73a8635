// Shared buffers that no plan of the arena holds: static arrays, which the CUDA compiler places,
// and those that need no place.
#pragma once

#include "core/views/view.h"

namespace tilescope {

struct StaticArray {
  std::string function;
  std::string name;
  std::string type; // "float32 (128)"
  int64_t sizeBytes = 0;
  uint32_t sourceLine = 0; // where it is allocated
};

// In the order of the buffer tables; those of symbolic size are left out.
std::vector<StaticArray> staticArraysOf(const TraceSnapshot &snapshot);

// A line for each of `function`: "  static: s 512 bytes, placed by the CUDA compiler".
void printStatics(const std::vector<StaticArray> &arrays, llvm::StringRef function,
                  llvm::raw_ostream &out);

// Why no plan holds the shared buffer of this name or key, in one sentence, also if a pass has
// dropped it; "": there is none.
std::string whyUnplaced(const PassState &state, llvm::StringRef name);

template <typename Archive> void fields(Archive &archive, StaticArray &array) {
  archive("function", array.function);
  archive("name", array.name);
  archive("type", array.type);
  archive.always("sizeBytes", array.sizeBytes);
  archive("sourceLine", array.sourceLine);
}

} // namespace tilescope
