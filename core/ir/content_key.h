// For Context::cached: what is asked of a function's statements and declarations, and neither of
// its properties nor of where its shared buffers lie, which some passes change alone.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

inline std::vector<CacheKeyPart> contentKey(const Function &function) {
  std::vector<CacheKeyPart> key = {function.body, function.params.data(),
                                   static_cast<uint64_t>(function.functionKind)};
  for (const Buffer *buffer : function.buffers) {
    if (buffer->scope != Scope::Shared) {
      key.push_back(buffer);
      continue;
    }
    uint64_t type = static_cast<uint64_t>(buffer->dtype.kind) << 8 | buffer->dtype.bits;
    llvm::append_values(key, static_cast<uint64_t>(buffer->id.value), buffer->name.data(),
                        buffer->role.data(), type, buffer->shape.data(),
                        static_cast<uint64_t>(buffer->shape.size()),
                        static_cast<uint64_t>(buffer->versions), buffer->layout,
                        buffer->strides.data(), static_cast<uint64_t>(buffer->origin.value));
  }
  return key;
}

} // namespace tilescope
