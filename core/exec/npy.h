// Tensors as files of numpy.
#pragma once

#include "core/exec/tensor.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// The memory image of the tensor behind a header of format 1.0 (numpy.lib.format). Types that numpy
// lacks (bfloat16, eight-bit floats) are unsigned integers of their bits; four-bit ones are bytes,
// two elements each, in one dimension; so is a tensor that is not row major.
std::string npyOf(const Tensor &tensor);

// The elements of what numpy.save, or npyOf, wrote: row major, little endian, of the tensor's
// shape. Floats and integers of other widths are converted; an integer that the tensor's type does
// not hold is an error, as is a float for an integer.
llvm::Error readNpy(Tensor &tensor, llvm::StringRef file);

} // namespace tilescope
