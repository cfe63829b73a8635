// A shell command of the user's that is run on texts: what is asked of it is its exit code.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilescope {

struct ShellTest {
  std::string command;
  std::string mark;     // in the command, for the file: "{ir}"
  std::string fileName; // in a folder of its own
  std::string prologue; // lines of the script before the command

  // The status of waitpid.
  llvm::Expected<int> run(llvm::StringRef text) const;
};

} // namespace tilescope
