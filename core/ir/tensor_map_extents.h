// What is known of a tensor of the fields of its map (core/hopper/tensor_map.h).
#pragma once

#include "core/hopper/tensor_map.h"
#include "core/ir/module.h"

namespace tilescope {

// A map without a box: extents and strides that are no constants are such as every map may have.
TensorMap knownTensorMap(const Buffer &tensor);

} // namespace tilescope
