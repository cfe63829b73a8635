#include "cli/interrupt.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope {

namespace {

// A signal handler can reach nothing else.
StopToken isInterrupted = false;
std::atomic<int> interruptingSignal = 0;
std::atomic<pid_t> runningGroup = 0; // 0: none

constexpr int Interrupts[] = {SIGINT, SIGTERM, SIGHUP};
struct sigaction earlierActions[std::size(Interrupts)];

// The next one is for whoever handled them before: it ends the program.
void noteInterrupt(int signal) {
  interruptingSignal = signal;
  isInterrupted = true;
  for (size_t i = 0; i != std::size(Interrupts); ++i)
    sigaction(Interrupts[i], &earlierActions[i], nullptr);
  if (pid_t group = runningGroup)
    kill(-group, SIGTERM);
}

[[noreturn]] void becomeShell(const char *script) {
  setpgid(0, 0);
  // Read from the terminal, it would be stopped: it is in the background.
  if (int input = open("/dev/null", O_RDONLY); input >= 0)
    dup2(input, STDIN_FILENO);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(signal, SIG_DFL);
  execl("/bin/sh", "sh", "-c", script, static_cast<char *>(nullptr));
  _exit(127);
}

} // namespace

void noteInterrupts() {
  struct sigaction action = {};
  action.sa_handler = noteInterrupt;
  for (size_t i = 0; i != std::size(Interrupts); ++i) {
    sigaction(Interrupts[i], nullptr, &earlierActions[i]);
    // What a shell has a background program ignore stays ignored.
    if (earlierActions[i].sa_handler != SIG_IGN)
      sigaction(Interrupts[i], &action, nullptr);
  }
}

const StopToken &interrupted() { return isInterrupted; }

int interruptedExitCode() { return 128 + interruptingSignal; }

llvm::Expected<int> runShell(llvm::StringRef script) {
  std::string text = script.str();
  pid_t child = fork();
  if (child < 0)
    return llvm::createStringError("cannot run the command: " +
                                   std::error_code(errno, std::generic_category()).message());
  if (child == 0)
    becomeShell(text.c_str());
  // Both sides make the group, so that it is there whoever is first.
  setpgid(child, child);
  runningGroup = child;
  if (isInterrupted)
    kill(-child, SIGTERM);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  runningGroup = 0;
  return status;
}

} // namespace tilescope
