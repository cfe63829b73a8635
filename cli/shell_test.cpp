#include "cli/shell_test.h"

#include "cli/command.h"
#include "cli/interrupt.h"
#include "core/support/shell_word.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

namespace tilescope {

llvm::Expected<int> ShellTest::run(llvm::StringRef text) const {
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope", folder))
    return llvm::createStringError("cannot make a temporary folder: " + code.message());
  auto remove = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string file = (folder + "/" + fileName).str();
  if (llvm::Error error = writeFile(file, text))
    return error;
  std::string script = prologue;
  for (llvm::StringRef rest = command; !rest.empty();) {
    auto [before, after] = rest.split(mark);
    script += before;
    if (before.size() != rest.size())
      script += shellQuoted(file);
    rest = after;
  }
  llvm::outs().flush();
  return runShell(script);
}

} // namespace tilescope
