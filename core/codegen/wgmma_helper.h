// The helper of emitted kernels that starts a product of a warp group. There is one for each shape
// and type, so its text is made, not kept as those of prelude.def are.
#pragma once

#include "core/support/dtype.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

struct WgmmaHelper {
  int64_t columns = 0; // a multiple of 8 up to 256
  DType a, b;          // the same, or of 8 bits both
  DType sums;
  bool isFromRegisters = false; // a is in registers, else in shared memory

  // "wgmma_m64n128k16_f16_f32", "wgmma_m64n128k16_f16_f32_registers",
  // "wgmma_m64n128k32_e4m3_e5m2_f32"
  std::string name() const;
  // Its definition, with a comment; ends with a newline.
  std::string text() const;
  // Whether operands may lie along M and N, too: it has template arguments that say so.
  bool canTranspose() const { return a.bits == 16; }
};

bool isWgmmaHelperName(llvm::StringRef name);

} // namespace tilescope
