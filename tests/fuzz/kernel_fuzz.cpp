// A kernel file: parsed, and evaluated as far as it comes without arguments.
#include "core/driver/compile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  CompileRequest request;
  request.path = "kernel.py";
  request.text.assign(reinterpret_cast<const char *>(data), size);
  request.passes = "";
  request.emitCuda = false;
  request.limits = {
      .steps = 20'000, .callDepth = 50, .listLength = 10'000, .memoryBytes = 16U << 20};
  compile(request);
  return 0;
}
