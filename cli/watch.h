// --watch: a verb is done again whenever a file that it read has changed.
#pragma once

#include "core/frontend/frontend.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope {

// Runs `verb` in processes of its own, since options are declared once in a process, until a signal
// ends the program: at once, and after every change of a file that the last run read. Says on
// standard error what it waits for; on a terminal each run begins on a cleared screen.
int watch(llvm::function_ref<int()> verb);

// To be called for every file that a verb reads. Does nothing where nobody watches.
void noteRead(llvm::StringRef path);

// Reads what a kernel file imports from the disk, noting it. Null: nobody watches, and whoever
// compiles reads it.
SourceReader watchedImports();

} // namespace tilescope
