#include "core/exec/problem.h"

#include "core/exec/index_inputs.h"
#include "core/exec/inputs.h"
#include "core/exec/scalar_text.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <cstring>

namespace tilescope {

namespace {

bool isExtent(const Function &function, const Var &var) {
  bool isFound = false;
  for (const Param &param : function.params)
    if (param.buffer.isValid())
      for (const Expr *extent : function.buffer(param.buffer).shape)
        walk(extent, [&](const Expr *part) { isFound |= part == &var; });
  return isFound;
}

bool isStride(const Function &function, const Var &var) {
  return llvm::any_of(function.params, [&](const Param &param) {
    return param.buffer.isValid() &&
           llvm::is_contained(function.buffer(param.buffer).strides, &var);
  });
}

// Of a scalar that nobody gave: an extent that no tile divides, a stride that holds some rows, else
// the least that does anything.
std::string defaultOf(const Function &function, const Var &var) {
  if (var.dtype().isBool())
    return "true";
  if (var.dtype().isFloat())
    return "0.5";
  if (isStride(function, var))
    return "1000";
  return isExtent(function, var) ? "100" : "1";
}

// "1..1000" is one of these, by the seed; what is no range stays.
llvm::Expected<std::string> oneOf(const std::string &name, DType dtype, const std::string &text,
                                  uint64_t seed) {
  auto [low, high] = llvm::StringRef(text).split("..");
  if (high.empty())
    return text;
  int64_t least = 0, most = 0;
  if (!dtype.isInteger() || low.getAsInteger(0, least) || high.getAsInteger(0, most) ||
      most < least)
    return llvm::createStringError("'" + name + "' wants a range of integers, LEAST..MOST, not '" +
                                   text + "'");
  uint64_t count = static_cast<uint64_t>(most) - static_cast<uint64_t>(least) + 1;
  uint64_t offset = count == 0 ? 0 : static_cast<uint64_t>(SeededNumbers(seed, name).below(count));
  return std::to_string(static_cast<int64_t>(static_cast<uint64_t>(least) + offset));
}

llvm::Error bindScalars(Problem &problem, const ProblemOptions &options) {
  std::map<std::string, std::string> rest = options.scalars;
  for (const Param &param : problem.function->params) {
    if (!param.var)
      continue;
    std::string name = param.var->name.str();
    DType dtype = param.var->dtype();
    auto found = rest.find(name);
    std::string given = found == rest.end() ? "" : found->second;
    llvm::Expected<std::string> text = found == rest.end()
                                           ? defaultOf(*problem.function, *param.var)
                                           : oneOf(name, dtype, given, options.seed);
    if (!text)
      return text.takeError();
    llvm::Expected<Number> value = parseScalar(name, dtype, *text);
    if (!value)
      return value.takeError();
    problem.scalars.emplace_back(param.var, *value);
    if (*text != given)
      problem.chosen += (problem.chosen.empty() ? "" : ", ") + name + "=" + *text;
    rest.erase(name);
  }
  if (!rest.empty())
    return llvm::createStringError("the kernel has no scalar '" + rest.begin()->first + "'");
  return llvm::Error::success();
}

struct ParamUse {
  bool isRead = false;
  bool isWritten = false;
};

ParamUse useOf(const Function &function, BufferId buffer) {
  ParamUse use;
  Context scratch;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(scratch, stmt)) {
      use.isRead |= access.buffer == buffer && access.effect != Effect::Write;
      use.isWritten |= access.buffer == buffer && access.effect != Effect::Read;
    }
    return true;
  });
  return use;
}

void fillByUse(Tensor &tensor, const Problem &problem, const Buffer &buffer, BlockFrame &host,
               uint64_t seed) {
  std::optional<IndexUse> index = indexUseOf(*problem.function, buffer.id, host);
  if (!index)
    fillSeeded(tensor, seed, buffer.name);
  else if (index->count || index->metadataOf)
    fillIndices(tensor, *index, seed, buffer.name);
}

// In one place of memory there may be one element.
bool keepsApart(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides) {
  llvm::SmallVector<std::pair<int64_t, int64_t>> axes;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent > 1)
      axes.emplace_back(stride, extent);
  llvm::sort(axes);
  int64_t next = 1; // behind all that inner axes reach
  for (auto [stride, extent] : axes) {
    if (stride < next)
      return false;
    next += (extent - 1) * stride;
  }
  return true;
}

// The image of a tensor, where each element of it lies.
void forEachPlace(const Tensor &tensor, llvm::ArrayRef<int64_t> strides,
                  llvm::function_ref<void(size_t element, size_t place)> visit) {
  for (int64_t element = 0; element < tensor.size(); ++element) {
    int64_t place = 0;
    for (auto [coordinate, stride] : llvm::zip_equal(tensor.coordinatesOf(element), strides))
      place += coordinate * stride;
    visit(static_cast<size_t>(element), static_cast<size_t>(place));
  }
}

llvm::Expected<Tensor> makeTensor(Problem &problem, const Buffer &buffer,
                                  const ProblemOptions &options, double &bytesLeft) {
  BlockFrame host(*problem.function, problem.memory);
  for (auto [var, value] : problem.scalars)
    host.bind(var, value);
  llvm::SmallVector<int64_t> shape;
  double bytes = buffer.dtype.bits / 8.0;
  for (const Expr *extent : buffer.shape) {
    shape.push_back(host.evaluateInt(extent));
    bytes *= static_cast<double>(shape.back());
  }
  if (bytes > bytesLeft)
    return llvm::createStringError(
        "with tensor '" + buffer.name.str() + "' the tensors take more than " +
        std::to_string(std::lround(options.mostTensorBytes / (1 << 30))) + " GiB");
  bytesLeft -= bytes;
  for (const Expr *stride : buffer.strides)
    problem.strides[buffer.id].push_back(host.evaluateInt(stride));
  if (!buffer.strides.empty() && buffer.dtype.bits < 8)
    return llvm::createStringError("elements of tensor '" + buffer.name.str() +
                                   "' share bytes; with strides such are not run");
  if (!buffer.strides.empty() && !keepsApart(shape, problem.strides[buffer.id]))
    return llvm::createStringError("with its strides two elements of tensor '" + buffer.name.str() +
                                   "' lie in one place");
  Tensor tensor(buffer.dtype, shape, buffer.layout);
  std::string name = buffer.name.str();
  if (auto fill = options.fills.find(name); fill != options.fills.end()) {
    if (llvm::Error error = fillAs(tensor, fill->second, options.seed, name))
      return error;
  } else if (useOf(*problem.function, buffer.id).isRead && tensor.isFloat()) {
    if (llvm::Error error = fillAs(tensor, options.fillOfFloats, options.seed, name))
      return error;
  } else if (useOf(*problem.function, buffer.id).isRead) {
    fillByUse(tensor, problem, buffer, host, options.seed);
  }
  return tensor;
}

} // namespace

llvm::Error makeProblem(Problem &problem, const Function &function, const ProblemOptions &options) {
  problem.function = &function;
  if (llvm::Error error = bindScalars(problem, options))
    return error;
  double bytesLeft = options.mostTensorBytes;
  for (const Param &param : function.params) {
    if (param.var)
      continue;
    const Buffer &buffer = function.buffer(param.buffer);
    llvm::Expected<Tensor> tensor = makeTensor(problem, buffer, options, bytesLeft);
    if (!tensor)
      return tensor.takeError();
    problem.memory.tensors.emplace(buffer.id, std::move(*tensor));
    if (useOf(function, buffer.id).isWritten)
      problem.written.push_back(buffer.id);
  }
  for (const auto &[name, how] : options.fills)
    if (llvm::none_of(problem.memory.tensors,
                      [&](const auto &entry) { return function.buffer(entry.first).name == name; }))
      return llvm::createStringError("the kernel has no tensor '" + name + "' to fill");
  return llvm::Error::success();
}

std::vector<uint8_t> toMemory(const Problem &problem, BufferId id, const Tensor &tensor) {
  std::vector<uint8_t> dense = tensor.toBytes();
  auto strides = problem.strides.find(id);
  if (strides == problem.strides.end())
    return dense;
  size_t width = tensor.dtype().bits / 8, end = 0;
  forEachPlace(tensor, strides->second,
               [&](size_t, size_t place) { end = std::max(end, place + 1); });
  std::vector<uint8_t> bytes(end * width);
  forEachPlace(tensor, strides->second, [&](size_t element, size_t place) {
    std::memcpy(&bytes[place * width], &dense[element * width], width);
  });
  return bytes;
}

void fromMemory(const Problem &problem, BufferId id, llvm::ArrayRef<uint8_t> bytes,
                Tensor &tensor) {
  auto strides = problem.strides.find(id);
  if (strides == problem.strides.end())
    return tensor.fromBytes(bytes);
  size_t width = tensor.dtype().bits / 8;
  std::vector<uint8_t> dense(static_cast<size_t>(tensor.size()) * width);
  forEachPlace(tensor, strides->second, [&](size_t element, size_t place) {
    std::memcpy(&dense[element * width], &bytes[place * width], width);
  });
  tensor.fromBytes(dense);
}

std::map<std::string, int64_t> integersOf(const Problem &problem) {
  std::map<std::string, int64_t> integers;
  for (auto [var, value] : problem.scalars)
    if (!var->dtype().isFloat())
      integers.emplace(var->name.str(), value.i);
  return integers;
}

} // namespace tilescope
