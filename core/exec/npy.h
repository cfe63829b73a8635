// A tensor as a file that numpy.load reads.
#pragma once

#include "core/exec/tensor.h"

namespace tilescope {

// The memory image of the tensor behind a header of format 1.0 (numpy.lib.format). Types that numpy
// lacks (bfloat16, eight-bit floats) are unsigned integers of their bits; four-bit ones are bytes,
// two elements each, in one dimension; so is a tensor that is not row major.
std::string npyOf(const Tensor &tensor);

} // namespace tilescope
