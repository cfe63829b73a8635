#include "core/witness/host_text.h"

#include "core/codegen/launch_values.h"
#include "core/exec/scalar_text.h"
#include "core/witness/asm_statement.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <set>

// Bytes of the headers, as the build has embedded them.
// NOLINTBEGIN(bugprone-macro-parentheses): the parentheses would be part of a declaration
#define HOST_HEADER(Name, path)                                                                    \
  extern const unsigned char Name[];                                                               \
  extern const size_t Name##Size;
#include "core/witness/host_headers.def"
// NOLINTEND(bugprone-macro-parentheses)

namespace tilescope {

namespace {

struct Edit {
  llvm::StringRef from, to;
};

// What no macro can say. Shared arrays would otherwise be locals of each thread; loops that are
// unrolled take long to compile.
constexpr Edit Edits[] = {
    {"extern __shared__ __align__(1024) unsigned char arena[];",
     "unsigned char *const arena = ::witness::arena.begin;"},
    // Before the attribute, as clang wants it.
    {"__shared__ alignas(128) ", "alignas(128) static __attribute__((section(\"shared\"))) "},
    {"__shared__ ", "static __attribute__((section(\"shared\"))) "},
    {"#pragma unroll\n", "\n"},
    {"#include <cuda_", "// <cuda_"},
    {"#include <cooperative_", "// <cooperative_"},
};

std::string replaceAll(llvm::StringRef text, const Edit &edit) {
  std::string result;
  while (true) {
    size_t at = text.find(edit.from);
    result += text.take_front(at);
    if (at == llvm::StringRef::npos)
      return result;
    result += edit.to;
    text = text.drop_front(at + edit.from.size());
  }
}

// The main program: tensors, scalars, launches.
class MainText {
public:
  MainText(const CudaSource &cuda, const Problem &problem)
      : cuda_(cuda), problem_(problem), values_(integersOf(problem)) {}

  llvm::Expected<std::string> make() {
    text_ = "int main(int argc, char **argv) {\n  witness::Program program(argc, argv);\n";
    addProblem();
    for (const LaunchRecord &record : cuda_.launches)
      if (llvm::Error error = addLaunch(record))
        return error;
    return text_ + "  program.write();\n}\n";
  }

private:
  void addProblem() {
    for (const auto &[id, tensor] : problem_.memory.tensors) {
      std::string name = problem_.function->buffer(id).name.str();
      text_ += llvm::formatv("  program.tensor(\"{0}\", {1}, \"{2}\");\n", name,
                             toMemory(problem_, id, tensor).size(), tensorFileName(id));
      tensors_.insert(name);
    }
    for (const auto &[var, value] : problem_.scalars)
      text_ += llvm::formatv("  program.scalar(\"{0}\", {1}ull);\n", var->name,
                             scalarBits(var->dtype(), value));
  }

  llvm::Expected<int64_t> valueOf(llvm::StringRef text) const {
    return evaluateLaunchText(text, values_);
  }

  // Memory that the caller of a kernel gives it.
  llvm::Error addWorkspace(const LaunchParam &param) {
    int64_t elements = 1;
    for (const std::string &extent : param.shape) {
      llvm::Expected<int64_t> value = valueOf(extent);
      if (!value)
        return value.takeError();
      elements *= *value;
    }
    text_ += llvm::formatv("  program.tensor(\"{0}\", {1});\n", param.name,
                           parseDType(param.dtype).value_or(DType()).bytes(elements));
    return llvm::Error::success();
  }

  llvm::Error addTensorMap(const LaunchTensorMap &map) {
    llvm::Expected<TensorMapFields> fields = evaluateTensorMap(map, values_);
    if (!fields)
      return fields.takeError();
    auto listOf = [](const auto &values) {
      std::vector<std::string> texts;
      texts.reserve(values.size());
      for (auto value : values)
        texts.push_back(std::to_string(value));
      return "{" + llvm::join(texts, ", ") + "}";
    };
    DType dtype = parseDType(map.dtype).value_or(DType());
    text_ +=
        llvm::formatv("  program.tensorMap(\"{0}\", \"{1}\", {{nullptr, {2}, {3}, {4}, {5}, {6}, "
                      "{7}, {8}, {9}});\n",
                      map.name, map.tensor, listOf(fields->dims), listOf(fields->strides),
                      listOf(fields->box), fields->box.size(), dtype.bytes(1), map.swizzleBytes,
                      dtype.kind == DTypeKind::Float, dtype.kind == DTypeKind::BFloat);
    return llvm::Error::success();
  }

  llvm::Error addLaunch(const LaunchRecord &record) {
    std::vector<std::string> names, grid;
    for (const LaunchParam &param : record.params) {
      names.push_back("\"" + param.name + "\"");
      if (param.role == "workspace" && tensors_.insert(param.name).second)
        if (llvm::Error error = addWorkspace(param))
          return error;
    }
    for (const LaunchTensorMap &map : record.tensorMaps) {
      names.push_back("\"" + map.name + "\"");
      if (llvm::Error error = addTensorMap(map))
        return error;
    }
    names.push_back("nullptr");
    for (const std::string &extent : record.grid) {
      llvm::Expected<int64_t> value = valueOf(extent);
      if (!value)
        return value.takeError();
      grid.push_back(std::to_string(std::max<int64_t>(*value, 0)));
    }
    llvm::Expected<int64_t> bytes = valueOf(record.dynamicSharedBytes);
    if (!bytes)
      return bytes.takeError();
    std::vector<std::string> lot = record.isCooperative ? grid : std::vector<std::string>(3, "1");
    for (auto [extent, blocks] : llvm::zip(lot, record.cluster))
      if (!record.isCooperative)
        extent = std::to_string(blocks);
    text_ += llvm::formatv(
        "  program.launch(witness::emitted::{0}, {{{1}}, {{{2}}, {{{3}}, {4}, {5});\n",
        record.kernel, llvm::join(names, ", "), llvm::join(grid, ", "), llvm::join(lot, ", "),
        record.threads, *bytes);
    return llvm::Error::success();
  }

  const CudaSource &cuda_;
  const Problem &problem_;
  ScalarValues values_;
  std::set<std::string> tensors_;
  std::string text_;
};

} // namespace

llvm::ArrayRef<HostHeader> hostHeaders() {
  static const HostHeader Headers[] = {
#define HOST_HEADER(Name, path) {path, {reinterpret_cast<const char *>(Name), Name##Size}},
#include "core/witness/host_headers.def"
  };
  return Headers;
}

std::string tensorFileName(BufferId tensor) {
  return "tensor_" + std::to_string(tensor.value) + ".bin";
}

llvm::Expected<std::string> makeHostText(const CudaSource &cuda, const Problem &problem) {
  llvm::Expected<std::string> kernels = replaceAsmStatements(cuda.text);
  if (!kernels)
    return kernels.takeError();
  for (const Edit &edit : Edits)
    *kernels = replaceAll(*kernels, edit);
  llvm::Expected<std::string> mainText = MainText(cuda, problem).make();
  if (!mainText)
    return mainText.takeError();
  return "#include \"core/witness/host/program.h\"\nnamespace witness::emitted {\n"
         "#line 1 \"kernel.cu\"\n" +
         *kernels + "} // namespace witness::emitted\n" + *mainText;
}

} // namespace tilescope
