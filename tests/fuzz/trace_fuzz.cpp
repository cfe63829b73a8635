// A trace, and what is said of it.
#include "core/driver/judge_trace.h"
#include "core/trace_file/trace_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  llvm::Expected<Trace> trace =
      readTrace(llvm::StringRef(reinterpret_cast<const char *>(data), size), "some.trace");
  if (trace)
    judgeTrace(*trace);
  else
    llvm::consumeError(trace.takeError());
  return 0;
}
