// Values of a launch record's expressions: text over the scalar parameters, in the syntax of IR
// text.
#pragma once

#include "core/codegen/cuda_source.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <map>

namespace tilescope {

using ScalarValues = std::map<std::string, int64_t>;

// Integers, names, + - * // %, unary minus, parentheses, T.min, T.max, T.int32, T.int64 and
// T.cast. The error says what is not understood or which name has no value.
llvm::Expected<int64_t> evaluateLaunchText(llvm::StringRef text, const ScalarValues &values);

// What cuTensorMapEncodeTiled takes of a map, in the driver's numbers.
struct TensorMapFields {
  int type = 0;
  std::vector<uint64_t> dims, strides;
  std::vector<uint32_t> box;
  int swizzle = 0;

  // The driver takes no map of it: one of a single element that is zero says the same.
  bool isEmpty() const { return std::find(dims.begin(), dims.end(), 0U) != dims.end(); }
};
// An error where the driver would refuse it.
llvm::Expected<TensorMapFields> evaluateTensorMap(const LaunchTensorMap &map,
                                                  const ScalarValues &values);

} // namespace tilescope
