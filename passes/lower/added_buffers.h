// Buffers that lowering adds to a function: register arrays of one thread, sometimes a tile.
#pragma once

#include "core/ir/build.h"

#include "llvm/ADT/StringSet.h"

#include <vector>

namespace tilescope {

class AddedBuffers {
public:
  AddedBuffers(Context &context, const Function &function);

  // An array of one thread, of the type of `of`, which it serves in `role` ("regs", "vec").
  const Buffer &make(const Buffer &of, llvm::StringRef role, int64_t elements, const Span &span);
  // A tile of the same type: a fragment or shared memory.
  const Buffer &makeTile(const Buffer &of, llvm::StringRef role, llvm::ArrayRef<int64_t> shape,
                         Scope scope, const Layout *layout, const Span &span);
  // Null: not one of these.
  const Buffer *find(BufferId id) const;
  llvm::ArrayRef<const Buffer *> added() const { return added_; }

private:
  Context &context_;
  const Function &function_;
  std::vector<const Buffer *> added_;
  llvm::StringSet<> names_;
};

} // namespace tilescope
