#include "core/codegen/cuda_launcher.h"

#include "core/analysis/role_lanes.h"
#include "core/analysis/shared_bytes.h"
#include "core/analysis/tensor_maps.h"
#include "core/codegen/arena_extent.h"
#include "core/ir/build.h"
#include "core/ir/op_facts.h"
#include "core/ir/print_expr.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// "input", "output", "inout", "workspace" or "scalar"
llvm::StringRef roleOf(const Function &function, const Param &param) {
  if (param.var)
    return "scalar";
  bool isParam = llvm::any_of(function.params,
                              [&](const Param &other) { return other.buffer == param.buffer; });
  if (!isParam)
    return "workspace";
  bool isRead = false;
  bool isWritten = false;
  Context scratch;
  walk(function.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(scratch, stmt)) {
      isRead |= access.buffer == param.buffer && access.effect != Effect::Write;
      isWritten |= access.buffer == param.buffer && access.effect != Effect::Read;
    }
    return true;
  });
  if (!isWritten && !param.isOutput)
    return "input";
  return isRead ? "inout" : "output";
}

LaunchParam describeParam(const Function &function, const TextNames &names, const Param &param) {
  LaunchParam result;
  result.role = roleOf(function, param).str();
  if (param.var) {
    result.name = names.of(param.var);
    result.dtype = param.var->dtype().name();
    return result;
  }
  const Buffer &buffer = function.buffer(param.buffer);
  result.name = buffer.name.str();
  result.dtype = buffer.dtype.name();
  for (const Expr *extent : buffer.shape)
    result.shape.push_back(printExpr(names, *extent));
  return result;
}

LaunchTensorMap describeMap(const Function &function, const TextNames &names,
                            const BoxedTensor &map, std::string name) {
  const Buffer &tensor = function.buffer(map.tensor);
  LaunchTensorMap result{.name = std::move(name),
                         .tensor = tensor.name.str(),
                         .dtype = tensor.dtype.name(),
                         .dims = {},
                         .strides = {},
                         .box = {map.box.begin(), map.box.end()}};
  for (const Expr *extent : map.dims)
    result.dims.push_back(printExpr(names, *extent));
  for (const Expr *stride : map.strides)
    result.strides.push_back(printExpr(names, *stride));
  result.swizzleBytes = map.swizzle == Swizzle::None ? 0 : spanOf(map.swizzle);
  return result;
}

// One a lane; empty: no role asks for any.
std::vector<RoleRegisters> roleRegistersOf(const Launch &launch) {
  StmtList stmts = launch.body;
  if (const auto *seq = llvm::dyn_cast<Seq>(launch.body))
    stmts = seq->stmts;
  std::vector<RoleRegisters> found;
  for (const RoleLane &lane : roleLanesOf(launch, stmts).lanes)
    found.push_back({lane.threads, 0});
  bool asks = false;
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (!role || role->registers == 0)
      return true;
    int64_t first = 0;
    for (RoleRegisters &one : found) {
      if (RoleLane{first, one.threads}.isOf(*role))
        one.registers = role->registers;
      first += one.threads;
    }
    asks = true;
    return true;
  });
  return asks ? found : std::vector<RoleRegisters>();
}

} // namespace

LaunchRecord computeLaunchRecord(const Function &function) {
  const Launch &launch = launchOf(function);
  const TextNames names(function);
  LaunchRecord record;
  record.kernel = function.name.str();
  for (const Expr *extent : launch.gridExtents)
    record.grid.push_back(printExpr(names, *extent));
  record.grid.resize(3, "1");
  record.threads = launch.threads;
  record.minBlocks = launch.minBlocks;
  record.cluster = launch.cluster.vec();
  record.isCooperative = meetsBlocks(launch);
  // Blocks that must all run at the same time wait for room anyhow.
  record.beginsEarly = beginsEarly(launch) && !record.isCooperative;
  record.roleRegisters = roleRegistersOf(launch);
  Context scratch;
  const Expr *sharedBytes = arenaEnd(scratch, function);
  std::optional<int64_t> constant = constantValue(sharedBytes);
  record.dynamicSharedBytes = constant ? std::to_string(*constant) : printExpr(names, *sharedBytes);
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope == Scope::SharedStatic)
      record.staticSharedBytes += buffer->versions * *versionStrideBytes(*buffer);
  for (const Param &param : kernelParams(function))
    record.params.push_back(describeParam(function, names, param));
  std::vector<BoxedTensor> maps = boxedTensorsOf(scratch, function);
  for (auto [map, name] : llvm::zip_equal(maps, namesOf(maps, function)))
    record.tensorMaps.push_back(describeMap(function, names, map, name));
  return record;
}

const Launch &launchOf(const Function &function) {
  const Stmt *body = function.body;
  while (const auto *seq = llvm::dyn_cast<Seq>(body)) {
    assert(seq->stmts.size() == 1 && "a device function is one launch");
    body = seq->stmts.front();
  }
  return *llvm::cast<Launch>(body);
}

llvm::SmallVector<Param> kernelParams(const Function &function) {
  llvm::SmallVector<Param> params(function.params);
  for (const Buffer *buffer : function.buffers) {
    bool isParam = llvm::any_of(function.params,
                                [&](const Param &param) { return param.buffer == buffer->id; });
    if (buffer->scope == Scope::Global && !isParam)
      params.push_back({buffer->id, nullptr, false});
  }
  return params;
}

// A constant grid as it is; one that depends on scalars is checked against what a grid can be.
static void printGrid(CudaFunctionState &state, CudaExprs &exprs) {
  CudaLines &out = state.lines;
  constexpr llvm::StringRef Names[] = {"grid_x", "grid_y", "grid_z"};
  std::vector<std::string> texts;
  bool isConstant = true;
  for (const Expr *extent : state.launch.gridExtents) {
    isConstant &= constantValue(extent).has_value();
    texts.push_back(exprs.index(extent));
  }
  texts.resize(3, "1");
  if (isConstant)
    return out.line("const dim3 grid(" + llvm::join(texts, ", ") + ");");
  for (size_t dim = 0; dim < 3; ++dim)
    out.line(llvm::formatv("const i64 {0} = {1};", Names[dim], texts[dim]));
  out.line("if (grid_x == 0 || grid_y == 0 || grid_z == 0)");
  out.line("  return cudaSuccess;");
  out.line("if (grid_x > 2147483647 || grid_y > 65535 || grid_z > 65535)");
  out.line("  return cudaErrorInvalidConfiguration;");
  for (auto [name, blocks] : llvm::zip(Names, state.launch.cluster))
    if (blocks != 1) {
      out.line(llvm::formatv("if ({0} % {1} != 0)", name, blocks));
      out.line("  return cudaErrorInvalidConfiguration;");
    }
  out.line("const dim3 grid{u32(grid_x), u32(grid_y), u32(grid_z)};");
}

// Null pointers, pointers that a 16-byte access cannot use, extents below zero.
static void printChecks(CudaFunctionState &state, const CudaBuffers &buffers) {
  CudaLines &out = state.lines;
  std::vector<std::string> nulls;
  std::vector<std::string> misaligned;
  std::vector<std::string> negatives;
  for (const Param &param : kernelParams(state.function)) {
    if (!param.var) {
      nulls.push_back(buffers.nameOf(param.buffer) + " == nullptr");
      misaligned.push_back("reinterpret_cast<u64>(" + buffers.nameOf(param.buffer) + ") % 16 != 0");
    } else if (state.vars.bounds().of(param.var).low == 0 && !param.var->dtype().isUnsigned()) {
      negatives.push_back(state.vars.nameOf(param.var) + " < 0");
    }
  }
  auto check = [&](llvm::ArrayRef<std::string> conditions, llvm::StringRef error) {
    if (conditions.empty())
      return;
    out.line("if (" + llvm::join(conditions, " || ") + ")");
    out.line("  return " + error.str() + ";");
  };
  check(nulls, "cudaErrorInvalidDevicePointer");
  check(misaligned, "cudaErrorMisalignedAddress");
  check(negatives, "cudaErrorInvalidValue");
}

// Bytes of dynamic shared memory: a number, or a variable that is computed here.
static std::string printSharedBytes(CudaFunctionState &state, CudaExprs &exprs) {
  CudaLines &out = state.lines;
  const Expr *bytes = arenaEnd(state.module.context, state.function);
  if (constantValue(bytes))
    return exprs.index(bytes);
  out.line(llvm::formatv("const i64 shared_bytes = {0};", exprs.index(bytes)));
  out.line("if (shared_bytes > 2147483647)");
  out.line("  return cudaErrorInvalidConfiguration;");
  return "int(shared_bytes)";
}

// Encodes what copies of boxes are told of tensors.
static void printTensorMaps(CudaFunctionState &state, CudaExprs &exprs,
                            const CudaBuffers &buffers) {
  CudaLines &out = state.lines;
  HelperSet &helpers = state.module.helpers;
  auto listOf = [&](llvm::ArrayRef<const Expr *> values) {
    std::vector<std::string> texts;
    for (const Expr *value : values)
      texts.push_back(llvm::formatv("u64({0})", exprs.index(value)));
    return llvm::join(texts, ", ");
  };
  for (auto [map, name] : llvm::zip_equal(state.tensorMaps, state.tensorMapNames)) {
    DType dtype = state.function.buffer(map.tensor).dtype;
    std::string box;
    for (int64_t extent : map.box)
      box += (box.empty() ? "" : ", ") + std::to_string(extent);
    out.line(llvm::formatv("{0} {1};", helpers.call(Helper::TensorMap), name));
    out.line(llvm::formatv(
        "const cudaError_t {0}_status = {1}({0}, {2}, {3}, {{{4}}, {{{5}}, {{{6}}, {7});", name,
        helpers.call(Helper::EncodeTensorMap), *tensorMapTypeCode(dtype),
        buffers.nameOf(map.tensor), listOf(map.dims), listOf(map.strides), box,
        static_cast<int>(map.swizzle)));
    out.line(llvm::formatv("if ({0}_status != cudaSuccess)", name));
    out.line(llvm::formatv("  return {0}_status;", name));
  }
}

// An error of the call where not all blocks fit on the GPU at the same time.
static void printCooperative(CudaFunctionState &state, const LaunchRecord &record,
                             llvm::StringRef sharedBytes, llvm::ArrayRef<std::string> arguments) {
  std::string addresses;
  for (const std::string &argument : arguments)
    addresses += (addresses.empty() ? "&" : ", &") + argument;
  if (!arguments.empty())
    state.lines.line("void *arguments[] = {" + addresses + "};");
  state.lines.line(llvm::formatv(
      "return cudaLaunchCooperativeKernel({0}, grid, {1}, {2}, {3}, stream);", record.kernel,
      state.launch.threads, arguments.empty() ? "nullptr" : "arguments", sharedBytes));
}

// It begins once all blocks of the launch before have come to pdl_trigger or ended.
static void printEarly(CudaFunctionState &state, const LaunchRecord &record,
                       llvm::StringRef sharedBytes, llvm::ArrayRef<std::string> arguments) {
  CudaLines &out = state.lines;
  out.line("cudaLaunchAttribute early = {};");
  out.line("early.id = cudaLaunchAttributeProgrammaticStreamSerialization;");
  out.line("early.val.programmaticStreamSerializationAllowed = 1;");
  out.line("cudaLaunchConfig_t config = {};");
  out.line("config.gridDim = grid;");
  out.line(llvm::formatv("config.blockDim = dim3({0});", state.launch.threads));
  out.line(llvm::formatv("config.dynamicSmemBytes = {0};", sharedBytes));
  out.line("config.stream = stream;");
  out.line("config.attrs = &early;");
  out.line("config.numAttrs = 1;");
  std::string values;
  for (const std::string &argument : arguments)
    values += ", " + argument;
  out.line(llvm::formatv("return cudaLaunchKernelEx(&config, {0}{1});", record.kernel, values));
}

// The launch itself: its grid, what copies of boxes are told, its shared memory.
static void printLaunch(CudaFunctionState &state, const LaunchRecord &record, CudaExprs &exprs,
                        const CudaBuffers &buffers, std::vector<std::string> arguments) {
  CudaLines &out = state.lines;
  printGrid(state, exprs);
  printTensorMaps(state, exprs, buffers);
  arguments.insert(arguments.end(), state.tensorMapNames.begin(), state.tensorMapNames.end());
  std::string sharedBytes = printSharedBytes(state, exprs);
  if (sharedBytes != "0") {
    out.line("const cudaError_t status =");
    out.line(llvm::formatv(
        "    cudaFuncSetAttribute({0}, cudaFuncAttributeMaxDynamicSharedMemorySize, {1});",
        record.kernel, sharedBytes));
    out.line("if (status != cudaSuccess)");
    out.line("  return status;");
  }
  if (record.isCooperative) {
    printCooperative(state, record, sharedBytes, arguments);
  } else if (record.beginsEarly) {
    printEarly(state, record, sharedBytes, arguments);
  } else {
    out.line(llvm::formatv("{0}<<<grid, {1}, {2}, stream>>>({3});", record.kernel,
                           state.launch.threads, sharedBytes, llvm::join(arguments, ", ")));
    out.line("return cudaGetLastError();");
  }
}

// CUDA takes no grid without blocks; one that depends on scalars is asked at its launch.
static bool hasEmptyGrid(const Launch &launch) {
  return llvm::any_of(launch.gridExtents,
                      [](const Expr *extent) { return constantValue(extent) == 0; });
}

void printLauncher(CudaFunctionState &state, const LaunchRecord &record, CudaExprs &exprs,
                   const CudaBuffers &buffers) {
  CudaLines &out = state.lines;
  out.line("");
  out.line("#ifndef __CUDACC_RTC__");
  std::vector<std::string> params;
  std::vector<std::string> arguments;
  for (const Param &param : kernelParams(state.function)) {
    if (param.var) {
      arguments.push_back(state.vars.nameOf(param.var));
      params.push_back(cudaTypeName(param.var->dtype()) + " " + arguments.back());
      continue;
    }
    arguments.push_back(buffers.nameOf(param.buffer));
    bool isInput = roleOf(state.function, param) == "input";
    params.push_back((isInput ? "const " : "") +
                     cudaTypeName(state.function.buffer(param.buffer).dtype) + " *" +
                     arguments.back());
  }
  params.push_back("cudaStream_t stream");
  out.line("// Checks the arguments and launches the kernel; returns without waiting for it.");
  out.openBlock(llvm::formatv("extern \"C\" cudaError_t launch_{0}({1})", state.function.name,
                              llvm::join(params, ", ")));
  printChecks(state, buffers);
  if (hasEmptyGrid(state.launch))
    out.line("return cudaSuccess;");
  else
    printLaunch(state, record, exprs, buffers, std::move(arguments));
  out.closeBlock();
  out.line("#endif");
}

} // namespace tilescope
