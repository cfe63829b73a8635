// Ctrl-C, SIGTERM and SIGHUP while a verb works for long: instead of ending the program at once
// they are noted, so that it can stop what it started, remove what it wrote, and say how to go on.
// A second one ends the program.
#pragma once

#include "core/pass/pass.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tilescope {

// From now on signals are noted.
void noteInterrupts();

// True once one has come; may be given to a compile.
const StopToken &interrupted();

// What the program then exits with: 128 and the number of the signal, as shells say it.
int interruptedExitCode();

// Runs a script by /bin/sh without standard input and waits for it. It and all that it starts are a
// process group of their own, which gets SIGTERM when this program is interrupted. Returns the
// status of waitpid; the error is that the shell cannot be started.
llvm::Expected<int> runShell(llvm::StringRef script);

} // namespace tilescope
