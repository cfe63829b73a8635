#include "core/exec/problem.h"

#include "core/exec/index_inputs.h"
#include "core/exec/inputs.h"
#include "core/exec/scalar_text.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilescope {

namespace {

llvm::StringRef exampleOf(DType dtype) {
  if (dtype.isBool())
    return "true";
  return dtype.isFloat() ? "0.5" : "1000";
}

llvm::Error bindScalars(Problem &problem, const std::map<std::string, std::string> &given) {
  std::map<std::string, std::string> rest = given;
  std::vector<std::string> missing;
  std::string example;
  for (const Param &param : problem.function->params) {
    if (!param.var)
      continue;
    std::string name = param.var->name.str();
    auto found = rest.find(name);
    if (found == rest.end()) {
      missing.push_back(name);
      example += " --dim " + name + "=" + exampleOf(param.var->dtype()).str();
      continue;
    }
    llvm::Expected<Number> value = parseScalar(name, param.var->dtype(), found->second);
    if (!value)
      return value.takeError();
    problem.scalars.emplace_back(param.var, *value);
    rest.erase(found);
  }
  if (!missing.empty())
    return llvm::createStringError("no value for " + llvm::join(missing, ", ") +
                                   ", known only at launch:" + example);
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
  else if (index->count)
    fillIndices(tensor, *index, seed, buffer.name);
}

llvm::Expected<Tensor> makeTensor(Problem &problem, const Buffer &buffer,
                                  const ProblemOptions &options) {
  BlockFrame host(*problem.function, problem.memory);
  for (auto [var, value] : problem.scalars)
    host.bind(var, value);
  llvm::SmallVector<int64_t> shape;
  double bytes = buffer.dtype.bits / 8.0;
  for (const Expr *extent : buffer.shape) {
    shape.push_back(host.evaluateInt(extent));
    bytes *= static_cast<double>(shape.back());
  }
  if (bytes > options.mostTensorBytes)
    return llvm::createStringError(
        "tensor '" + buffer.name.str() + "' is larger than " +
        std::to_string(std::lround(options.mostTensorBytes / (1 << 30))) + " GiB");
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
  if (llvm::Error error = bindScalars(problem, options.scalars))
    return error;
  for (const Param &param : function.params) {
    if (param.var)
      continue;
    const Buffer &buffer = function.buffer(param.buffer);
    llvm::Expected<Tensor> tensor = makeTensor(problem, buffer, options);
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

std::map<std::string, int64_t> integersOf(const Problem &problem) {
  std::map<std::string, int64_t> integers;
  for (auto [var, value] : problem.scalars)
    if (!var->dtype().isFloat())
      integers.emplace(var->name.str(), value.i);
  return integers;
}

} // namespace tilescope
