#include "core/target/device_listing.h"

namespace tilescope {

namespace {

// The number that stands before `words`; 0: they are not there.
int64_t numberBefore(llvm::StringRef line, llvm::StringRef words) {
  llvm::StringRef before = line.take_front(line.find(words));
  int64_t value = 0;
  if (before.size() == line.size() ||
      before.substr(before.find_last_not_of("0123456789") + 1).getAsInteger(10, value))
    return 0;
  return value;
}

} // namespace

std::vector<KernelResources> readPtxasLog(llvm::StringRef log) {
  constexpr llvm::StringLiteral Heading = "Function properties for ";
  std::vector<KernelResources> kernels;
  KernelResources properties; // of the line that ptxas prints before that of the registers
  while (!log.empty()) {
    auto [line, rest] = log.split('\n');
    log = rest;
    if (size_t at = line.find(Heading); at != llvm::StringRef::npos) {
      properties = {};
      properties.kernel = line.drop_front(at + Heading.size()).trim().str();
    }
    properties.stackBytes += numberBefore(line, " bytes stack frame");
    properties.spillStoreBytes += numberBefore(line, " bytes spill stores");
    properties.spillLoadBytes += numberBefore(line, " bytes spill loads");
    int64_t registers = numberBefore(line, " registers");
    if (registers == 0)
      continue;
    properties.registers = registers;
    properties.staticSharedBytes = numberBefore(line, " bytes smem");
    properties.barriers = numberBefore(line, " barriers");
    kernels.push_back(properties);
  }
  return kernels;
}

} // namespace tilescope
