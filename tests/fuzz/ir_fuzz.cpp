// IR text: read, verified, and what was read printed again.
#include "core/ir/printer.h"
#include "core/ir/reader.h"
#include "core/ir/verifier.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  Context context;
  SourceFiles files;
  Diagnostics diagnostics;
  FileId file = files.add("text.ir", std::string(reinterpret_cast<const char *>(data), size));
  const Module *module = readModule(context, file, files, diagnostics);
  if (module && verifyModule(*module, diagnostics))
    printModule(*module, /*tagged=*/true);
  return 0;
}
