#include "passes/lower/added_buffers.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

AddedBuffers::AddedBuffers(Context &context, const Function &function)
    : context_(context), function_(function) {
  for (const Buffer *buffer : function.buffers)
    names_.insert(buffer->name);
}

const Buffer *AddedBuffers::find(BufferId id) const {
  for (const Buffer *buffer : added_)
    if (buffer->id == id)
      return buffer;
  return nullptr;
}

const Buffer &AddedBuffers::make(const Buffer &of, llvm::StringRef role, int64_t elements,
                                 const Span &span) {
  return makeTile(of, role, elements, Scope::Local, nullptr, span);
}

const Buffer &AddedBuffers::makeTile(const Buffer &of, llvm::StringRef role,
                                     llvm::ArrayRef<int64_t> shape, Scope scope,
                                     const Layout *layout, const Span &span) {
  std::string stem = (of.name + "_" + role).str();
  std::string name = stem;
  for (int number = 1; !names_.insert(name).second; ++number)
    name = stem + "_" + std::to_string(number);
  auto isAlike = [&](const Buffer *buffer) {
    return buffer->sourceName == of.sourceName && buffer->role == role;
  };
  Buffer buffer;
  buffer.id = context_.nextBufferId();
  buffer.name = context_.intern(name);
  buffer.sourceName = of.sourceName;
  buffer.ordinal = llvm::count_if(function_.buffers, isAlike) + llvm::count_if(added_, isAlike);
  buffer.role = context_.intern(role);
  buffer.dtype = of.dtype;
  llvm::SmallVector<const Expr *> extents;
  for (int64_t extent : shape)
    extents.push_back(Builder(context_).integer(extent));
  buffer.shape = context_.copy<const Expr *>(extents);
  buffer.scope = scope;
  buffer.layout = layout;
  buffer.origin = of.id;
  buffer.span = span;
  added_.push_back(context_.make<Buffer>(buffer));
  return *added_.back();
}

} // namespace tilescope
