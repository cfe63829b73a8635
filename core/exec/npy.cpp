#include "core/exec/npy.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

bool hasNumpyType(DType dtype) {
  return !dtype.isFloat() || (dtype.kind == DTypeKind::Float && dtype.bits >= 16);
}

// "<f2": byte order, kind, bytes of an element.
std::string descriptorOf(DType dtype) {
  std::string bytes = std::to_string(std::max(dtype.bits / 8, 1));
  std::string order = dtype.bits > 8 ? "<" : "|";
  if (dtype.isBool())
    return "|b1";
  if (!hasNumpyType(dtype))
    return order + "u" + bytes;
  return order + (dtype.isFloat() ? "f" : dtype.isUnsigned() ? "u" : "i") + bytes;
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (int64_t extent : shape)
    text += std::to_string(extent) + ",";
  return text + ")";
}

} // namespace

std::string npyOf(const Tensor &tensor) {
  constexpr size_t Alignment = 64; // of what follows the header
  std::vector<uint8_t> bytes = tensor.toBytes();
  bool isFlat = !tensor.isRowMajor() || tensor.dtype().bits < 8;
  auto count = static_cast<int64_t>(bytes.size() * 8 / std::max<size_t>(tensor.dtype().bits, 8));
  std::string header = "{'descr': '" + descriptorOf(tensor.dtype()) +
                       "', 'fortran_order': False, 'shape': " +
                       (isFlat ? shapeText(count) : shapeText(tensor.shape())) + ", }";
  std::string text("\x93NUMPY\x01\x00", 8);
  size_t unpadded = text.size() + 2 + header.size() + 1;
  header.append((Alignment - unpadded % Alignment) % Alignment, ' ');
  header += '\n';
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  return text + header + llvm::toStringRef(bytes).str();
}

} // namespace tilescope
