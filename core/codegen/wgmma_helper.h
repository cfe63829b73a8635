// The helper of emitted kernels that starts a product of a warp group. There is one for each shape
// and type, so its text is made, not kept as those of prelude.def are.
#pragma once

#include "core/support/dtype.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

struct WgmmaHelper {
  int64_t columns = 0; // a multiple of 8 up to 256
  DType operand;
  DType sums;
  bool isFromRegisters = false; // a is in registers, else in shared memory

  // "wgmma_m64n128k16_f16_f32"; "wgmma_m64n128k16_f16_f32_registers"
  std::string name() const;
  // Its definition, with a comment; ends with a newline.
  std::string text() const;
};

bool isWgmmaHelperName(llvm::StringRef name);

} // namespace tilescope
