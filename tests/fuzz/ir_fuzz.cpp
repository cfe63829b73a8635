// IR text: read and verified. What passes is printed and read again, as the same text.
#include "core/ir/printer.h"
#include "core/ir/reader.h"
#include "core/ir/verifier.h"

namespace {

using namespace tilescope;

// Null if it is no IR, or a check refuses it.
const Module *readVerified(Context &context, std::string text, Diagnostics &diagnostics,
                           SourceFiles &files) {
  FileId file = files.add("text.ir", std::move(text));
  const Module *module = readModule(context, file, files, diagnostics);
  return module && verifyModule(*module, diagnostics) ? module : nullptr;
}

void checkFixedPoint(const Module &module, bool tagged) {
  std::string text = printModule(module, tagged);
  Context context;
  SourceFiles files;
  Diagnostics diagnostics;
  const Module *again = readVerified(context, text, diagnostics, files);
  std::string second = again ? printModule(*again, tagged) : "";
  if (second == text)
    return;
  for (const Diagnostic &diagnostic : diagnostics.all())
    render(diagnostic, files, llvm::errs(), /*colors=*/false);
  llvm::errs() << "printed:\n" << text << "\nread and printed again:\n" << second;
  abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Context context;
  SourceFiles files;
  Diagnostics diagnostics;
  std::string text(reinterpret_cast<const char *>(data), size);
  const Module *module = readVerified(context, std::move(text), diagnostics, files);
  for (const Diagnostic &diagnostic : diagnostics.all())
    render(diagnostic, files, llvm::nulls(), /*colors=*/true);
  if (module)
    for (bool tagged : {false, true})
      checkFixedPoint(*module, tagged);
  return 0;
}
