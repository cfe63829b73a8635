// How a tile copy is done. The only place that decides it: plan-pipeline asks before layouts
// exist, lower-tile-ops asks again. Layouts that infer-layouts chooses never make a copy worse
// than what is answered without them (a swizzle keeps chunks of 16 bytes whole).
#pragma once

#include "core/ir/module.h"
#include "core/target/target.h"

#include <string>

namespace tilescope {

enum class CopyMethod : uint8_t {
  CpAsync,    // global to shared, 4, 8 or 16 bytes a thread, if the copy may be asynchronous
  VectorCopy, // global and shared either way through registers, `vectorBytes` a thread
  Scalar,     // loads, casts and stores of elements, or of the registers of a fragment
};

struct CopyChoice {
  CopyMethod method = CopyMethod::Scalar;
  int vectorBytes = 0;     // that one thread moves at once; of the destination where types differ
  bool needsGuard = false; // some element of the global region may be out of bounds
  std::string reason;      // why this method and width, as a phrase: "rows of 64 bytes, ..."

  bool canBeAsync() const { return method == CopyMethod::CpAsync; }
};

// `copy` is a tile-level copy. The method is the best one, whether the copy is marked asynchronous
// or not: what is not marked moves the same vectors synchronously.
CopyChoice selectCopy(const OpStmt &copy, const Function &function, const Target &target);

} // namespace tilescope
