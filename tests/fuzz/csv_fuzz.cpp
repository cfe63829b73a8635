// An arena as CSV, which `tilescope plan` and `tilescope import` take.
#include "core/exports/minimalloc_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  std::string text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<CsvProblem> problem = readProblemCsv(text, "plan.csv");
  if (!problem) {
    llvm::consumeError(problem.takeError());
    return 0;
  }
  constexpr size_t MostBuffers = 200; // planning more takes its time
  if (problem->problem.buffers.size() > MostBuffers)
    return 0;
  llvm::consumeError(
      traceOfProblem(*problem, {"plan.csv", text, "arena", /*capacityBytes=*/0}).takeError());
  return 0;
}
