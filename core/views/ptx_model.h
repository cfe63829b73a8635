// View `ptx`: what nvcc hands to ptxas, line by line with what it is of; see view `sass`.
#pragma once

#include "core/views/listing_lines.h"

namespace tilescope {

using PtxView = ListingView;

PtxView buildPtx(const Trace &trace, const DeviceListing &listing);

// An instruction is of the `.loc` that stood last before it; one that is inlined says where, which
// may be inlined itself:
//
//     .file 1 "kernel.cu"
//     .loc  1 93 3, function_name $L__info_string0, inlined_at 1 158 5
//     .loc  1 25 3, function_name $L__info_string1, inlined_at 1 93 3
//
// Those directives and sections of debug information are left out.
ListedCode readPtx(llvm::StringRef text);

// Of PTX that was emitted itself: all of its lines, and an instruction is of its own.
ListedCode readEmittedPtx(llvm::StringRef text);

} // namespace tilescope
