// What a shared library of passes gives to `tilescope --load`. A library is one source or more that
// define passes and this record; docs/example_pass is a whole one:
//
//     const tilescope::PassInfo Passes[] = {
//         {"count-statements", tilescope::PropertySet(), "Say how many there are", createCount}};
//     const tilescope::PassLibrary TilescopePassLibrary = {tilescope::PassLibraryMark, Passes, 1};
//
// The program has the code of all headers that are installed with it, so a library links to nothing
// of ours: two copies of one analysis would not find each other's results.
#pragma once

#include "core/pass/pass.h"

#ifndef TILESCOPE_PASS_INTERFACE
#error "link the library to Tilescope::Passes, which find_package(Tilescope) defines"
#endif

namespace tilescope {

// Names the headers that a library was compiled with: the version of the program and a digest of
// them. It is found in the file before anything of it is run, so that a library for other headers
// is refused and does not crash.
inline constexpr char PassLibraryMark[] = "tilescope pass library for " TILESCOPE_PASS_INTERFACE;

struct PassLibrary {
  const char *mark; // PassLibraryMark
  const PassInfo *passes;
  size_t count;
};

} // namespace tilescope

// Defined by each library.
extern "C" [[gnu::visibility("default")]] const tilescope::PassLibrary TilescopePassLibrary;
