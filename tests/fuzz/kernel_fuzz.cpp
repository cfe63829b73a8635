// A kernel file: its instance lines are read, and each of the first ones is evaluated.
#include "core/driver/kernel_instances.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  constexpr size_t MostInstances = 2; // more of a file say little new for their time
  std::string text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<std::vector<KernelInstance>> listed = instancesOfKernel(text, "kernel.py");
  std::vector<KernelInstance> instances;
  if (listed)
    instances = std::move(*listed);
  else
    llvm::consumeError(listed.takeError());
  // One without arguments where there is none.
  instances.resize(std::clamp<size_t>(instances.size(), 1, MostInstances));
  for (const KernelInstance &instance : instances) {
    CompileRequest request;
    request.path = "kernel.py";
    request.text = text;
    request.function = instance.function;
    request.arguments = instance.arguments;
    request.passes = "";
    request.emitCuda = false;
    request.limits = {
        .steps = 20'000, .callDepth = 50, .listLength = 10'000, .memoryBytes = 16U << 20};
    request.imports.read = [](llvm::StringRef) { return std::nullopt; };
    compile(request);
  }
  return 0;
}
