// A trace that is opened without being read whole (core/trace_file/trace_file.h), each pass loaded.
#include "core/trace_file/trace_file.h"

#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace tilescope;

void loadAll(const std::string &path) {
  // Nothing is small enough to be loaded whole.
  llvm::Expected<std::unique_ptr<TraceFile>> file = TraceFile::open(path, {.wholeBytes = 0});
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  constexpr size_t MostPasses = 100; // of which each may load as much as the file has
  size_t passCount = std::min((*file)->trace().passes.size(), MostPasses);
  for (size_t pass = 0; pass != passCount; ++pass) {
    llvm::consumeError((*file)->loadText(pass).takeError());
    llvm::consumeError((*file)->load(pass));
  }
  (*file)->follow();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int descriptor = memfd_create("trace", 0);
  if (descriptor < 0 || write(descriptor, data, size) != static_cast<ssize_t>(size))
    abort();
  loadAll("/proc/self/fd/" + std::to_string(descriptor));
  close(descriptor);
  return 0;
}
