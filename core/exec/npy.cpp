#include "core/exec/npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

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

struct NpyFile {
  DType dtype; // as numpy sees it
  llvm::SmallVector<int64_t> shape;
  llvm::StringRef data;
};

// What follows "'name':" in the dictionary of the header.
llvm::StringRef fieldOf(llvm::StringRef header, llvm::StringRef name) {
  size_t at = header.find(("'" + name + "':").str());
  return at == llvm::StringRef::npos ? "" : header.substr(at + name.size() + 3).ltrim();
}

std::optional<DType> parseDescriptor(llvm::StringRef text) {
  unsigned bytes = 0;
  if (text.size() != 3 || text[0] == '>' || text.drop_front(2).getAsInteger(10, bytes) ||
      !llvm::is_contained({1U, 2U, 4U, 8U}, bytes))
    return std::nullopt;
  auto bits = static_cast<uint8_t>(bytes * 8);
  switch (text[1]) {
  case 'b':
    return DType::boolean();
  case 'i':
    return DType{DTypeKind::Int, bits};
  case 'u':
    return DType{DTypeKind::UInt, bits};
  case 'f':
    return bits == 8 ? std::nullopt : std::optional(DType{DTypeKind::Float, bits});
  default:
    return std::nullopt;
  }
}

bool parseShape(llvm::StringRef text, llvm::SmallVectorImpl<int64_t> &shape) {
  if (!text.consume_front("("))
    return false;
  llvm::SmallVector<llvm::StringRef> extents;
  text.take_until([](char c) { return c == ')'; }).split(extents, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef extent : extents)
    if (!extent.trim().empty() && extent.trim().getAsInteger(10, shape.emplace_back()))
      return false;
  return llvm::all_of(shape, [](int64_t extent) { return extent >= 0; });
}

llvm::Expected<NpyFile> parseNpy(llvm::StringRef file) {
  auto torn = [] { return llvm::createStringError("it is no file of numpy, or not a whole one"); };
  auto byteAt = [&](size_t at) { return static_cast<size_t>(static_cast<uint8_t>(file[at])); };
  if (file.size() < 12 || !file.starts_with("\x93NUMPY"))
    return torn();
  // Format 1.0 has two bytes for the length of its header, later ones four.
  size_t begin = byteAt(6) == 1 ? 10 : 12;
  size_t length = byteAt(8) | byteAt(9) << 8;
  if (begin == 12)
    length |= byteAt(10) << 16 | byteAt(11) << 24;
  if (file.size() - begin < length)
    return torn();
  llvm::StringRef header = file.substr(begin, length);
  NpyFile parsed;
  parsed.data = file.substr(begin + length);
  llvm::StringRef descriptor = fieldOf(header, "descr");
  descriptor.consume_front("'");
  descriptor = descriptor.take_until([](char c) { return c == '\''; });
  std::optional<DType> dtype = parseDescriptor(descriptor);
  if (!parseShape(fieldOf(header, "shape"), parsed.shape))
    return torn();
  if (!dtype || !fieldOf(header, "fortran_order").starts_with("False"))
    return llvm::createStringError("'" + descriptor.str() +
                                   "' in that order is not read: little endian, row major");
  parsed.dtype = *dtype;
  return parsed;
}

int64_t elementsOf(const NpyFile &file) {
  int64_t most = static_cast<int64_t>(file.data.size()) / (file.dtype.bits / 8);
  int64_t count = 1;
  for (int64_t extent : file.shape)
    if (extent != 0 && count > most / extent)
      return -1; // more than there is
    else
      count *= extent;
  return count;
}

uint64_t bitsAt(const NpyFile &file, int64_t index) {
  uint64_t bits = 0;
  size_t bytes = file.dtype.bits / 8;
  std::memcpy(&bits, file.data.data() + static_cast<size_t>(index) * bytes, bytes);
  return bits;
}

llvm::Error setElement(Tensor &tensor, int64_t index, DType from, Number value) {
  if (!tensor.isFloat() && from.isFloat())
    return llvm::createStringError("it holds floats, the tensor " + tensor.dtype().name());
  tensor.set(index, convert(from, tensor.dtype(), value));
  if (!tensor.isFloat() && tensor.get(index).i != value.i)
    return llvm::createStringError(tensor.dtype().name() + " does not hold " +
                                   std::to_string(value.i));
  return llvm::Error::success();
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

llvm::Error readNpy(Tensor &tensor, llvm::StringRef file) {
  llvm::Expected<NpyFile> parsed = parseNpy(file);
  if (!parsed)
    return parsed.takeError();
  int64_t count = elementsOf(*parsed);
  if (count < 0)
    return llvm::createStringError("it ends before its last element");
  // As npyOf writes what numpy has no type for.
  bool areBits =
      !hasNumpyType(tensor.dtype()) && parsed->dtype == DType{DTypeKind::UInt, tensor.dtype().bits};
  bool isFlat = !tensor.isRowMajor() || tensor.dtype().bits < 8;
  if (isFlat ? parsed->data.size() != static_cast<size_t>(tensor.dtype().bytes(tensor.size()))
             : llvm::ArrayRef<int64_t>(parsed->shape) != tensor.shape())
    return llvm::createStringError("its shape is " + shapeText(parsed->shape) + ", the tensor's " +
                                   shapeText(tensor.shape()));
  if (isFlat) {
    tensor.fromBytes(llvm::arrayRefFromStringRef(parsed->data));
    return llvm::Error::success();
  }
  DType from = areBits ? tensor.dtype() : parsed->dtype;
  for (int64_t index = 0; index < count; ++index)
    if (llvm::Error error = setElement(tensor, index, from, decode(from, bitsAt(*parsed, index))))
      return error;
  return llvm::Error::success();
}

} // namespace tilescope
