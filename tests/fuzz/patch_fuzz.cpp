// A text, a form feed, and a patch of the text.
#include "core/driver/patch.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace tilescope;
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto [text, patch] = input.split('\f');
  llvm::Expected<std::string> patched = applyPatch({"some.patch", patch.str()}, text);
  if (!patched)
    llvm::consumeError(patched.takeError());
  return 0;
}
