// The order of a whole compile, and why it is this order.
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

std::string defaultPipeline(const Target &target) {
  llvm::SmallVector<llvm::StringRef> order = {
      // --- tile level ---
      // Regions must have non-negative starts before anybody compares them.
      "legalize-indices",
      // Constant trip counts and folded conditions let the pipeline planner see the loop as it is.
      "simplify",
      // Plans on whole tiles: after lowering, a copy is many statements and its group is hard to
      // see.
      "plan-pipeline",
      // Versions come before layouts: a layout is inferred for the tile, not for its versions.
      "inject-pipeline",
      // Where a product takes as long as a mask of its tile. The other tiles get a fill, which
      // infer-layouts finds before a product of warp groups.
      "split-masks",
      "infer-layouts",
      // --- lowering ---
      "lower-tile-ops",
      // Looks at the accesses of single threads, so after lowering; a guarded access cannot be part
      // of a wide one unless the guard covers it, so before vectorize.
      "guard-memory-access",
      // What sums take from memory becomes loads of their own, which vectorize makes wide.
      "vectorize-atomics",
      "vectorize",
      // --- device ---
      // Sees what each thread touches, and divides roles before anything says how they wait.
      "split-roles",
      // From here on a function is one device kernel with one arena.
      "split-host-device",
      // The program's own barriers first: the planner takes them as free cover for reused bytes.
      "insert-barriers",
      "merge-shared-memory",
      // Adds only what sharing bytes needs.
      "insert-barriers",
      // The passes before compare indices as they are written.
      "bind-loaded-indices",
      // Last, so that the emitted text is short; it moves no statement across a barrier.
      "simplify",
  };
  if (!target.hasWgmma())
    llvm::erase(order, "split-masks");
  if (!target.hasRoles())
    llvm::erase(order, "split-roles");
  return llvm::join(order, ",");
}

} // namespace tilescope
