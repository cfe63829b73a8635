#include "core/exec/overwrites.h"

namespace tilescope {

void Overwrites::watch(BufferId tensor, int64_t elements) {
  auto count = static_cast<size_t>(elements);
  tensors_.try_emplace(tensor,
                       Watched{std::vector<uint32_t>(count), llvm::BitVector(unsigned(count))});
}

void Overwrites::startLaunch() {
  for (auto &[tensor, watched] : tensors_)
    watched.lastBlock.assign(watched.lastBlock.size(), 0);
}

void Overwrites::write(BufferId id, Tensor &tensor, int64_t element, Number value, int64_t block) {
  uint64_t before = encode(tensor.dtype(), tensor.get(element));
  tensor.set(element, value);
  auto found = tensors_.find(id);
  if (found == tensors_.end())
    return;
  bool isOther = encode(tensor.dtype(), tensor.get(element)) != before;
  uint32_t &last = found->second.lastBlock[static_cast<size_t>(element)];
  auto own = static_cast<uint32_t>(block + 1);
  if (isOther && last != 0 && last != own)
    found->second.overwritten.set(static_cast<unsigned>(element));
  last = own;
}

const llvm::BitVector *Overwrites::of(BufferId tensor) const {
  auto found = tensors_.find(tensor);
  bool isAny = found != tensors_.end() && found->second.overwritten.any();
  return isAny ? &found->second.overwritten : nullptr;
}

} // namespace tilescope
