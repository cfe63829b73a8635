#include "core/exec/block_order.h"

#include "core/exec/claims.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilescope {

namespace {

// Of global memory.
struct LaunchAccesses {
  std::set<BufferId> read, written;
  bool isAtomic = false;
};

LaunchAccesses accessesOf(const Launch &launch, const Function &function) {
  Context scratch;
  LaunchAccesses result;
  walk(launch.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(scratch, stmt)) {
      if (function.buffer(access.buffer).scope != Scope::Global)
        continue;
      result.isAtomic |= access.isAtomic();
      if (access.effect != Effect::Write)
        result.read.insert(access.buffer);
      if (access.effect != Effect::Read)
        result.written.insert(access.buffer);
    }
    return true;
  });
  return result;
}

// False: one of its elements is another block's. What lies outside of the tensor is not written.
bool take(Claims &claims, const TensorBox &box, const Tensor &tensor, uint32_t block) {
  llvm::SmallVector<int64_t> extents;
  for (auto [begin, end] : llvm::zip(box.begin, box.end))
    extents.push_back(end - begin);
  forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> offset) {
    llvm::SmallVector<int64_t> place(box.begin);
    for (auto [coordinate, along] : llvm::zip(place, offset))
      coordinate += along;
    if (int64_t at = tensor.indexOf(place); at >= 0)
      claims.take(box.buffer, static_cast<size_t>(at), block);
  });
  return !claims.isContested();
}

} // namespace

bool areBlocksApart(const Launch &launch, const Function &function, const GlobalMemory &memory,
                    llvm::ArrayRef<const Footprint *> footprints) {
  LaunchAccesses accesses = accessesOf(launch, function);
  auto isRead = [&](BufferId buffer) { return accesses.read.contains(buffer); };
  if (accesses.isAtomic || llvm::any_of(accesses.written, isRead))
    return false;
  Claims claims;
  for (BufferId buffer : accesses.written) {
    int64_t size = memory.tensors.at(buffer).size();
    if (size > MostWatchedElements)
      return false;
    claims.watch(buffer, size);
  }
  for (auto [block, footprint] : llvm::enumerate(footprints))
    for (const TensorBox &box : footprint->writes)
      if (!take(claims, box, memory.tensors.at(box.buffer), static_cast<uint32_t>(block)))
        return false;
  return true;
}

} // namespace tilescope
