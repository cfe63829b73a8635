// The views of the selected pass that have a picture, as SVG files beside the file that is open.
#pragma once

#include "core/trace/trace.h"
#include "core/views/selection.h"

#include "llvm/ADT/StringRef.h"

namespace tilescope {

// "gemm-2.png" if there is a "gemm.png".
std::string freePath(const std::string &path);

// "gemm.trace" gives "gemm.merge-shared-memory.arena.svg" and so on, as `tilescope show --format
// svg` prints them; "gemm.simplify-2.arena.svg" when the pass runs for the second time, and
// "gemm.simplify.arena-2.svg" where there is one already. Returns
// which files were written, or why one could not be: a line for people.
std::string exportPictures(const Trace &trace, const Selection &selection, llvm::StringRef path);

} // namespace tilescope
