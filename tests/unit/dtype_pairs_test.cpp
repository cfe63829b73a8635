// Element types: the emitted conversions, run on this machine by a C++ compiler with the headers of
// CUDA, against the reference, bit for bit; on a GPU too where there is one.
#include "core/codegen/cuda_names.h"
#include "core/exec/numbers.h"
#include "core/exec/tensor.h"
#include "tests/unit/emitter_fixture.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/device.h"
#endif

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace tilescope {
namespace {

uint64_t codeAt(llvm::ArrayRef<uint8_t> bytes, unsigned bits, size_t index) {
  if (bits < 8)
    return bytes[index / 2] >> (index % 2 * 4) & 15U;
  uint64_t code = 0;
  memcpy(&code, &bytes[index * bits / 8], bits / 8);
  return code;
}

void setCodeAt(std::vector<uint8_t> &bytes, unsigned bits, size_t index, uint64_t code) {
  if (bits < 8)
    bytes[index / 2] |= static_cast<uint8_t>((code & 15) << (index % 2 * 4));
  else
    memcpy(&bytes[index * bits / 8], &code, bits / 8);
}

// A number, and those next to it, of either sign.
template <typename Wide> void addNear(std::vector<Wide> &values, double number) {
  auto wide = static_cast<Wide>(number);
  for (Wide near : {wide, std::nextafter(wide, static_cast<Wide>(-HUGE_VAL)),
                    std::nextafter(wide, static_cast<Wide>(HUGE_VAL))})
    values.insert(values.end(), {near, -near});
}

// Values of the small float types, what lies halfway between neighbours, and what lies next to
// them.
template <typename Wide> void addNearSmallFloats(std::vector<Wide> &values) {
  for (DType dtype : allDTypes()) {
    if (!dtype.isFloat() || dtype.bits > 16)
      continue;
    uint64_t step = dtype.bits == 16 ? 37 : 1;
    for (uint64_t code = 0; code + 1 < uint64_t{1} << (dtype.bits - 1); code += step) {
      double value = decodeFloat(dtype, code);
      addNear(values, value);
      addNear(values, (value + decodeFloat(dtype, code + 1)) / 2);
    }
  }
}

template <typename Wide> std::vector<uint64_t> codesOfWideFloat() {
  using Bits = std::conditional_t<sizeof(Wide) == 8, uint64_t, uint32_t>;
  using Limits = std::numeric_limits<Wide>;
  std::vector<Wide> values = {0,
                              Limits::infinity(),
                              Limits::quiet_NaN(),
                              Limits::max(),
                              Limits::min(),
                              Limits::denorm_min(),
                              Limits::max() / 2,
                              Wide(0.3)};
  for (int exponent = 0; exponent < 66; ++exponent)
    for (double offset : {-1.0, -0.5, 0.0, 0.5, 1.0})
      values.push_back(static_cast<Wide>(std::ldexp(1, exponent) + offset));
  for (size_t i = values.size(); i-- > 0;)
    values.push_back(-values[i]);
  addNearSmallFloats(values);
  std::vector<uint64_t> codes;
  codes.reserve(values.size());
  for (Wide value : values)
    codes.push_back(std::bit_cast<Bits>(value));
  std::mt19937_64 random(1);
  for (int i = 0; i < 4096; ++i)
    codes.push_back(static_cast<Bits>(random()));
  // Near a tie between two floats.
  for (int i = 0; sizeof(Wide) == 8 && i < 4096; ++i) {
    auto value = static_cast<float>(random() >> 30);
    double tie = (static_cast<double>(value) + std::nextafterf(value, HUGE_VALF)) / 2;
    for (double near : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, HUGE_VAL)})
      codes.push_back(std::bit_cast<uint64_t>(near));
  }
  return codes;
}

// Around the powers of two, around ties of narrower floats, and at random sizes.
std::vector<uint64_t> codesOfWideInteger() {
  std::vector<uint64_t> codes;
  for (unsigned bit = 0; bit < 64; ++bit)
    for (unsigned tie = 0; tie <= bit; ++tie)
      for (uint64_t odd : {0, 1, 2, 3})
        for (int64_t offset : {-1, 0, 1}) {
          uint64_t value = (uint64_t{1} << bit) + (odd << tie) + static_cast<uint64_t>(offset);
          codes.insert(codes.end(), {value, ~value + 1});
        }
  std::mt19937_64 random(2);
  for (int i = 0; i < 4096; ++i)
    codes.push_back(random() >> (random() % 64));
  return codes;
}

// All codes of a type of up to 16 bits, a sample of a wider one.
std::vector<uint64_t> codesOf(DType dtype) {
  if (dtype.bits > 16 && dtype.isFloat())
    return dtype.bits == 64 ? codesOfWideFloat<double>() : codesOfWideFloat<float>();
  if (dtype.bits > 16)
    return codesOfWideInteger();
  std::vector<uint64_t> codes(dtype.isBool() ? 2 : size_t{1} << dtype.bits);
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = i;
  return codes;
}

// C++ and the host leave open what a conversion out of the range of the integer type gives.
bool isDefinedByCpp(DType from, DType to, double value) {
  if (!from.isFloat() || !to.isInteger())
    return true;
  bool isSigned = !to.isUnsigned() || to.bits <= 32;
  int bits = to.bits < 32 ? 32 : to == DType{DTypeKind::UInt, 32} ? 64 : to.bits;
  double limit = std::ldexp(1, bits - (isSigned ? 1 : 0));
  return value < limit && (isSigned ? value > -limit - 1 && value >= -limit : value > -1);
}

// One kernel that converts all codes of each type to each type; to its own type it copies the
// elements to the places after theirs. All tensors lie in one piece of memory.
class DTypePairsTest : public EmitterTest {
protected:
  struct Source {
    DType dtype;
    const Buffer *buffer;
    size_t count;
    std::vector<const Buffer *> results; // in the order of allDTypes()
  };

  DTypePairsTest() {
    std::vector<const Stmt *> loops;
    for (DType from : allDTypes()) {
      std::vector<uint64_t> codes = codesOf(from);
      Source source{from, tensor("x_" + from.name(), from, codes.size()), codes.size(), {}};
      std::vector<uint8_t> bytes(static_cast<size_t>(from.bytes(int64_t(codes.size()))));
      for (size_t i = 0; i < codes.size(); ++i)
        setCodeAt(bytes, from.bits, i, codes[i]);
      llvm::copy(bytes, memory.begin() + static_cast<ptrdiff_t>(offsets.back()));
      const Var *i = b.var("i");
      const Expr *here = i;
      const Expr *next = b.add(i, number(1));
      std::vector<const Stmt *> stores;
      for (DType to : allDTypes()) {
        std::string name = from.name() + "_to_" + to.name();
        source.results.push_back(tensor(name, to, codes.size() + 1));
        const Expr *value = b.load(*source.buffer, nullptr, context.copy(llvm::ArrayRef(here)));
        stores.push_back(context.make<Store>(info(), source.results.back()->id, nullptr,
                                             context.copy(llvm::ArrayRef(from == to ? next : here)),
                                             b.cast(to, value)));
      }
      loops.push_back(context.make<For>(info(), i, number(0), number(int64_t(codes.size())),
                                        ForKind::Serial, b.seq(info(), stores)));
      sources.push_back(std::move(source));
    }
    text = emit(loops, {number(1)}).text;
  }

  const Buffer *tensor(const std::string &name, DType dtype, size_t count) {
    Buffer *buffer = declare(name, dtype, {number(static_cast<int64_t>(count))}, Scope::Global);
    params.push_back({buffer->id, nullptr, true});
    offsets.push_back(memory.size());
    memory.resize(llvm::alignTo(memory.size() + size_t(dtype.bytes(int64_t(count))), 16));
    return buffer;
  }

  llvm::ArrayRef<uint8_t> bytesOf(const Buffer &buffer) const {
    for (size_t i = 0; i < params.size(); ++i)
      if (params[i].buffer == buffer.id)
        return llvm::ArrayRef(memory).drop_front(offsets[i]);
    return {};
  }

  void expectResults(bool isGpu) const {
    for (const Source &source : sources) {
      Tensor values(source.dtype, {static_cast<int64_t>(source.count)});
      values.fromBytes(bytesOf(*source.buffer));
      for (auto [to, result] : llvm::zip_equal(allDTypes(), source.results))
        expectResult(source, values, to, bytesOf(*result), isGpu);
    }
  }

  static void expectResult(const Source &source, const Tensor &values, DType to,
                           llvm::ArrayRef<uint8_t> got, bool isGpu) {
    Tensor expected(to, {static_cast<int64_t>(source.count)});
    for (int64_t i = 0; i < expected.size(); ++i)
      expected.set(i, convert(source.dtype, to, values.get(i)));
    std::vector<uint8_t> bytes = expected.toBytes();
    size_t first = source.dtype == to ? 1 : 0;
    for (size_t i = 0; i < source.count; ++i) {
      auto place = static_cast<int64_t>(i);
      if (!isGpu && !isDefinedByCpp(source.dtype, to, values.real(place)))
        continue;
      uint64_t wanted = codeAt(bytes, to.bits, i);
      uint64_t found = codeAt(got, to.bits, i + first);
      bool areNan =
          to.isFloat() && std::isnan(decodeFloat(to, wanted)) && std::isnan(decodeFloat(to, found));
      ASSERT_TRUE(wanted == found || areNan)
          << source.dtype.name() << " to " << to.name() << ": " << values.real(place) << " (code "
          << llvm::utohexstr(codeAt(values.toBytes(), source.dtype.bits, i)) << ") gives "
          << llvm::utohexstr(found) << ", not " << llvm::utohexstr(wanted);
    }
  }

  // The kernel without its launcher, and a program that runs it on what it reads.
  std::string hostProgram() const {
    std::string arguments;
    for (size_t i = 0; i < params.size(); ++i) {
      DType dtype = buffers[i]->dtype;
      arguments += llvm::formatv("{0}\n      reinterpret_cast<{1} *>(memory + {2})", i ? "," : "",
                                 cudaTypeName(dtype), offsets[i]);
    }
    return llvm::formatv("#include <cmath>\n#include <cstdio>\n#include <cuda_runtime.h>\n"
                         "#undef __launch_bounds__\n#define __launch_bounds__(...)\n"
                         "static uint3 blockIdx, threadIdx;\n"
                         "{0}\nalignas(16) static unsigned char memory[{1}];\n"
                         "int main() {{\n  if (fread(memory, 1, {1}, stdin) != {1})\n"
                         "    return 1;\n  matmul_kernel({2});\n"
                         "  return fwrite(memory, 1, {1}, stdout) != {1};\n}\n",
                         text.substr(0, text.rfind("#ifndef __CUDACC_RTC__")), memory.size(),
                         arguments);
  }

  std::vector<Source> sources;
  std::vector<size_t> offsets; // of each parameter
  std::vector<uint8_t> memory;
  std::string text;
};

std::string readFile(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

#ifdef TILESCOPE_HAS_CUDA

// The folder with the headers of the toolkit; empty: there is none.
std::string cudaHeaders() {
  for (const std::string &folder : toolkitFolders(""))
    if (llvm::sys::fs::exists(folder + "/include/cuda_fp8.h"))
      return folder + "/include";
  return "";
}

TEST_F(DTypePairsTest, HostAgreesWithTheReference) {
  llvm::ErrorOr<std::string> compiler = llvm::sys::findProgramByName("c++");
  std::string headers = cudaHeaders();
  if (!compiler || headers.empty())
    GTEST_SKIP() << "no C++ compiler or no headers of CUDA on this machine";
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("dtype_pairs", folder));
  std::string stem = folder.str().str();
  std::error_code error;
  llvm::raw_fd_ostream(stem + "/run.cpp", error) << hostProgram();
  llvm::raw_fd_ostream(stem + "/in", error)
      << llvm::StringRef(reinterpret_cast<const char *>(memory.data()), memory.size());
  std::string log = stem + "/log";
  int status = llvm::sys::ExecuteAndWait(
      *compiler,
      {*compiler, "-std=c++17", "-w", "-isystem", headers, stem + "/run.cpp", "-o", stem + "/run"},
      std::nullopt, {"", llvm::StringRef(log), llvm::StringRef(log)});
  ASSERT_EQ(status, 0) << readFile(log).substr(0, 4000);
  std::string input = stem + "/in";
  std::string output = stem + "/out";
  ASSERT_EQ(
      llvm::sys::ExecuteAndWait(stem + "/run", {stem + "/run"}, std::nullopt,
                                {llvm::StringRef(input), llvm::StringRef(output), std::nullopt}),
      0);
  std::string bytes = readFile(output);
  ASSERT_EQ(bytes.size(), memory.size());
  memory.assign(bytes.begin(), bytes.end());
  (void)llvm::sys::fs::remove_directories(folder);
  expectResults(/*isGpu=*/false);
}

// One thread, as four-bit neighbours must belong to one.
llvm::Error runOnGpu(Device &device, const std::string &text, llvm::ArrayRef<size_t> offsets,
                     std::vector<uint8_t> &memory) {
  llvm::Expected<DeviceBinary> binary =
      compileForDevice({text, "kernel.cu", device.architecture()});
  if (!binary)
    return binary.takeError();
  if (llvm::Error error = device.loadModule(binary->bytes))
    return error;
  llvm::Expected<DeviceKernel> kernel = device.findKernel("matmul_kernel", 0);
  llvm::Expected<DeviceMemory> bytes = device.allocate(memory.size());
  if (!kernel || !bytes)
    return kernel ? bytes.takeError() : kernel.takeError();
  std::vector<uint64_t> addresses;
  std::vector<void *> arguments;
  for (size_t offset : offsets)
    addresses.push_back(bytes->address() + offset);
  arguments.reserve(addresses.size());
  for (uint64_t &address : addresses)
    arguments.push_back(&address);
  if (llvm::Error error = device.write(*bytes, memory))
    return error;
  if (llvm::Error error = device.launch(*kernel, LaunchShape(), arguments))
    return error;
  if (llvm::Error error = device.synchronize())
    return error;
  return device.read(*bytes, memory);
}

TEST_F(DTypePairsTest, GpuAgreesWithTheReference) {
  llvm::Expected<std::unique_ptr<Device>> device = Device::open();
  if (!device)
    GTEST_SKIP() << llvm::toString(device.takeError());
  llvm::Error error = runOnGpu(**device, text, offsets, memory);
  ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  expectResults(/*isGpu=*/true);
}

#endif

} // namespace
} // namespace tilescope
