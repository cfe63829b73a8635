// View `sass`: what the hardware executes, by nvcc and nvdisasm, line by line with what it is of.
//
//     matmul_kernel: 117 registers of a thread, no spills, no stack, no static shared memory
//     CUDA  IR  line  buffer    instruction
//     219   83  71    K_shared  0ce0  LDSM.16.M88.4 R80, [R64+0x2000] ;
#pragma once

#include "core/views/listing_lines.h"

namespace tilescope {

using SassView = ListingView;

SassView buildSass(const Trace &trace, const DeviceListing &listing);

// What `nvdisasm -c -gi` prints: an instruction has its address in a comment, and is of the places
// that stood last before it, the innermost first:
//
//     //## File "kernel.cu", line 71 inlined at "kernel.cu", line 219
//     //## File "kernel.cu", line 219
//         /*0ce0*/                   LDSM.16.M88.4 R80, [R64+0x2000] ;
ListedCode readSass(llvm::StringRef text);

} // namespace tilescope
