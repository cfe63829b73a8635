// view: the window. A program of its own, so that all other verbs run where no OpenGL is installed.
#include "cli/command.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace tilescope {

int runView(const CommandLine &commandLine) {
  llvm::SmallString<256> program(llvm::sys::fs::getMainExecutable(nullptr, nullptr));
  llvm::sys::path::remove_filename(program);
  llvm::sys::path::append(program, "tilescope-view");
  // It parses the options, --help included.
  std::vector<char *> words;
  for (const char *word : commandLine)
    words.push_back(const_cast<char *>(word));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  return report(
      llvm::createStringError("cannot run '" + program.str() + "': " + std::strerror(errno) +
                              "; it is built where GLFW, OpenGL and Dear ImGui are installed"));
}

} // namespace tilescope
