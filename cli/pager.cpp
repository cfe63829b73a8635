#include "cli/pager.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope {

namespace {

pid_t pagerProcess = 0; // a handler of exit can reach nothing else

// The end of the text is what the pager waits for.
void waitForPager() {
  llvm::outs().flush();
  llvm::errs().flush();
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  while (waitpid(pagerProcess, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// "": none.
std::string pagerCommand() {
  for (const char *name : {"TILESCOPE_PAGER", "PAGER"})
    if (const char *command = std::getenv(name))
      return command == llvm::StringRef("cat") ? "" : command;
  return "less";
}

[[noreturn]] void becomePager(const char *command, int input) {
  dup2(input, STDIN_FILENO);
  close(input);
  // Short texts at once, colours as they are, and the text stays on the screen.
  setenv("LESS", "FRX", /*replace=*/0);
  std::signal(SIGPIPE, SIG_DFL);
  execl("/bin/sh", "sh", "-c", command, static_cast<char *>(nullptr));
  _exit(127);
}

} // namespace

void startPager() {
  std::string command = pagerCommand();
  llvm::StringRef program = llvm::StringRef(command).split(' ').first;
  if (!isatty(STDOUT_FILENO) || program.empty() || !llvm::sys::findProgramByName(program))
    return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    becomePager(command.c_str(), ends[0]);
  }
  close(ends[0]);
  if (child > 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (isatty(STDERR_FILENO))
      dup2(ends[1], STDERR_FILENO);
    pagerProcess = child;
    std::atexit(waitForPager);
    // Ctrl-C is for the pager, which stays until it is left.
    std::signal(SIGINT, SIG_IGN);
  }
  close(ends[1]);
}

} // namespace tilescope
