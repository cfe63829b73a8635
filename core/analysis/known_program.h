// What is computed of an AccessProgram, once for all of a compile that are equal: most passes leave
// the accesses, and the places of buffers, as they were.
#pragma once

#include "core/access/access_program.h"
#include "core/access/buffer_bytes.h"
#include "core/ir/context.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope {

// Tells programs apart well enough to look one up; equality decides.
inline uint64_t hashOf(const AccessProgram &program) {
  llvm::hash_code hash(program.nodes.size());
  for (const AccessNode &node : program.nodes) {
    hash = llvm::hash_combine(hash, node.kind, node.stmt.value, node.children.size(), node.pending,
                              node.queue, node.minTrips);
    for (const Access &access : node.accesses)
      hash = llvm::hash_combine(hash, access.buffer.value, access.kind, access.slot.offset,
                                access.sameThreadToken, access.full);
  }
  return hash;
}

// `compute` depends on the program and on `bytes` alone, and its type names what is computed.
template <typename Compute>
auto knownOf(Context &context, const AccessProgram &program, llvm::ArrayRef<BufferBytes> bytes,
             Compute compute) {
  struct Known {
    AccessProgram program;
    decltype(compute()) value;
  };
  std::vector<CacheKeyPart> key = {hashOf(program)};
  for (const BufferBytes &place : bytes)
    llvm::append_values(
        key, static_cast<uint64_t>(place.buffer.value), static_cast<uint64_t>(place.offsetBytes),
        static_cast<uint64_t>(place.strideBytes), static_cast<uint64_t>(place.sizeBytes));
  const Known &known = context.cached<Known>(key, [&] { return Known{program, compute()}; });
  return known.program == program ? known.value : compute();
}

} // namespace tilescope
