// What the body of a device function uses, collected before anything is printed, so that only what
// is used is declared.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace tilescope {

struct CudaUses {
  llvm::DenseSet<uint32_t> vars;            // that an expression reads
  llvm::DenseSet<uint32_t> slotVars;        // that choose a slot of a shared buffer
  llvm::DenseSet<uint32_t> accessed;        // buffers
  llvm::DenseSet<uint32_t> accessedAsWords; // local buffers that are moved in words
  llvm::DenseSet<uint32_t> computesSlots;   // shared buffers with a slot that is no constant
  // By buffer: the slots that are constants, and the kernel lines of its accesses.
  llvm::DenseMap<uint32_t, std::vector<int64_t>> constantSlots;
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> accessLines;
};

CudaUses collectUses(Context &context, const Function &function, const Stmt *body);

} // namespace tilescope
