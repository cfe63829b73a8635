// What is known of a tensor of the fields of its map (core/hopper/tensor_map.h).
#pragma once

#include "core/hopper/tensor_map.h"
#include "core/ir/module.h"
#include "core/ir/op_check.h"

namespace tilescope {

// A map without a box: extents and strides that are no constants are such as every map may have.
TensorMap knownTensorMap(const Buffer &tensor);
// Why no map tells of the box that an operation moves between two of its operands, as the end of a
// sentence; nothing: as far as is known one does. What is not known of the tensor a launch asks.
std::optional<std::string> refusalOfBox(const OpCheck &check, size_t tensor, size_t tile);

// The same of an atomic operation of each element of such a box with one of the tensor.
std::optional<std::string> refusalOfReduction(AtomicKind kind, DType dtype);

} // namespace tilescope
