#include "cli/program.h"

#include "cli/command.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <unistd.h>

namespace tilescope {

namespace {

// Runs at every exit, --help included: a stream that still holds an error would abort the program
// when it is destroyed.
void reportLostOutput() {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  if (code)
    llvm::WithColor::error(llvm::errs(), "tilescope")
        << "cannot write 'standard output': " << code.message() << '\n';
  llvm::errs().clear_error();
  if (code)
    _exit(Trouble);
}

// A closed standard output takes no write. What would stand in for it is /dev/null, which takes
// all.
void keepOutputClosed() {
  if (fcntl(STDOUT_FILENO, F_GETFD) != -1 || errno != EBADF)
    return;
  int file = open("/dev/null", O_RDONLY);
  if (file < 0 || file == STDOUT_FILENO)
    return;
  dup2(file, STDOUT_FILENO);
  close(file);
}

// `tilescope show ir k.trace | head` ends as other programs do: silently, by the signal.
void endByPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

void prepareForBadOutputs() {
  llvm::sys::SetOneShotPipeSignalFunction(endByPipe);
  // A file past its size limit is a failed write like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  keepOutputClosed();
  // Else the first file opened could take the place of a closed standard stream.
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  // The streams are made first, so that the handler runs before their destructors.
  llvm::outs();
  llvm::errs();
  std::atexit(reportLostOutput);
}

// Colours are for terminals, and for people who want them (no-color.org).
void prepareColours(ColourUse use) {
  const char *refused = std::getenv("NO_COLOR");
  bool wanted = use != ColourUse::Never && (!refused || refused[0] == '\0');
  for (llvm::raw_fd_ostream *stream : {&llvm::outs(), &llvm::errs()})
    stream->enable_colors(use == ColourUse::Always || (wanted && stream->has_colors()));
  llvm::WithColor::setAutoDetectFunction(
      [](const llvm::raw_ostream &stream) { return stream.colors_enabled(); });
}

} // namespace

void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

void prepareProgram(ColourUse colours) {
  keepFreedMemory();
  prepareForBadOutputs();
  prepareColours(colours);
}

} // namespace tilescope
