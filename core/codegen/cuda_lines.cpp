#include "core/codegen/cuda_lines.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

void CudaLines::line(std::string text) {
  CudaTextLine result;
  result.text = std::string(2 * static_cast<size_t>(indent_), ' ') + std::move(text);
  if (current_) {
    result.stmt = current_->id();
    result.span = current_->span();
  }
  for (BufferId id : namedShared_)
    if (!llvm::is_contained(result.buffers, id))
      result.buffers.push_back(id);
  namedShared_.clear();
  lines_.push_back(std::move(result));
}

void CudaLines::openBlock(std::string head) {
  line(head.empty() ? "{" : std::move(head) + " {");
  ++indent_;
  names_.enter();
}

void CudaLines::elseBlock() {
  names_.leave();
  --indent_;
  openBlock("} else");
}

void CudaLines::closeBlock() {
  names_.leave();
  --indent_;
  line("}");
}

} // namespace tilescope
