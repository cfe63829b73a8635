#include "core/sweep/ptxas_log.h"

namespace tilescope {

namespace {

// The number that stands before `words`.
std::optional<int64_t> numberBefore(llvm::StringRef line, llvm::StringRef words) {
  size_t at = line.find(words);
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef before = line.take_front(at);
  int64_t value = 0;
  if (before.substr(before.find_last_not_of("0123456789") + 1).getAsInteger(10, value))
    return std::nullopt;
  return value;
}

} // namespace

std::optional<PtxasUsage> readPtxasLog(llvm::StringRef log) {
  constexpr llvm::StringLiteral Heading = "Function properties for ";
  PtxasUsage usage;
  std::string kernel;
  while (!log.empty()) {
    auto [line, rest] = log.split('\n');
    log = rest;
    if (size_t at = line.find(Heading); at != llvm::StringRef::npos)
      kernel = line.drop_front(at + Heading.size()).trim().str();
    if (std::optional<int64_t> registers = numberBefore(line, " registers"))
      usage.registers[kernel] = *registers;
    for (llvm::StringRef words : {" bytes spill stores", " bytes spill loads"})
      usage.spillBytes += numberBefore(line, words).value_or(0);
  }
  return usage.registers.empty() ? std::nullopt : std::optional(std::move(usage));
}

} // namespace tilescope
