// Links to what is shown, by keys and from what was opened.
#pragma once

#include "core/session/place_link.h"
#include "viewer/shell/window_layout.h"

namespace tilescope {

// To where the link to what is open leads. What is wrong with it; "": nothing.
std::string followLink(const PlaceLink &place, Workspace &workspace, WindowLayout &layout);

// "tilescope view 'gemm.trace#pass=simplify#2&tab=arena'": opens what is open, at what is shown.
std::string linkCommand(const Workspace &workspace, llvm::StringRef panel);

} // namespace tilescope
