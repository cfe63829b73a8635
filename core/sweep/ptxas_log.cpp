#include "core/sweep/ptxas_log.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

namespace {

// The number that stands before each occurrence of `words`.
void forEachBefore(llvm::StringRef log, llvm::StringRef words,
                   llvm::function_ref<void(int64_t)> take) {
  for (size_t at = log.find(words); at != llvm::StringRef::npos; at = log.find(words, at + 1)) {
    llvm::StringRef before = log.take_front(at);
    int64_t value = 0;
    if (!before.substr(before.find_last_not_of("0123456789") + 1).getAsInteger(10, value))
      take(value);
  }
}

} // namespace

std::optional<PtxasUsage> readPtxasLog(llvm::StringRef log) {
  std::optional<PtxasUsage> usage;
  forEachBefore(log, " registers", [&](int64_t registers) {
    usage = usage.value_or(PtxasUsage());
    usage->registers = std::max(usage->registers, registers);
  });
  if (!usage)
    return std::nullopt;
  for (llvm::StringRef words : {" bytes spill stores", " bytes spill loads"})
    forEachBefore(log, words, [&](int64_t bytes) { usage->spillBytes += bytes; });
  return usage;
}

} // namespace tilescope
