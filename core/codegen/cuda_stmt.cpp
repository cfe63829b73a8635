// Statements and the kernel around them.
#include "core/codegen/cuda_writer.h"

#include "core/ir/op_facts.h"
#include "core/support/printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace tilescope {

const Launch &launchOf(const Function &function) {
  const Stmt *body = function.body;
  while (const auto *seq = llvm::dyn_cast<Seq>(body)) {
    assert(seq->stmts.size() == 1 && "a device function is one launch");
    body = seq->stmts.front();
  }
  return *llvm::cast<Launch>(body);
}

CudaWriter::CudaWriter(CudaModuleState &state, const Function &function, const LaunchRecord &record)
    : state_(state), function_(function), launch_(launchOf(function)), record_(record),
      kernelName_(record.kernel) {}

void CudaWriter::use(Helper helper) {
  switch (helper) {
  case Helper::LoadI4:
    use(Helper::WrapI4);
    break;
  case Helper::LoadF4:
    use(Helper::DecodeF4);
    break;
  case Helper::CopyVector:
  case Helper::CopyVectorOrZero:
    use(Helper::Word);
    break;
  case Helper::CpAsync:
  case Helper::LdmatrixX1:
  case Helper::LdmatrixX2:
  case Helper::LdmatrixX4:
  case Helper::LdmatrixX1Trans:
  case Helper::LdmatrixX2Trans:
  case Helper::LdmatrixX4Trans:
    use(Helper::SharedAddress);
    break;
  default:
    break;
  }
  state_.helpers.add(helper);
}

std::string CudaWriter::call(Helper helper) {
  use(helper);
  return nameOf(helper).str();
}

void CudaWriter::line(std::string text) {
  CudaTextLine result;
  result.text = std::string(2 * static_cast<size_t>(indent_), ' ') + std::move(text);
  if (current_) {
    result.stmt = current_->id();
    result.span = current_->span();
  }
  for (BufferId id : namedShared_)
    if (std::find(result.buffers.begin(), result.buffers.end(), id) == result.buffers.end())
      result.buffers.push_back(id);
  namedShared_.clear();
  lines_.push_back(std::move(result));
}

void CudaWriter::openBlock(std::string head) {
  line(head.empty() ? "{" : std::move(head) + " {");
  ++indent_;
  names_.enter();
}

void CudaWriter::closeBlock() {
  names_.leave();
  --indent_;
  line("}");
}

std::vector<CudaTextLine> CudaWriter::print() {
  for (const Buffer *buffer : function_.buffers)
    useHeaderOf(buffer->dtype);
  collectUses();
  printKernel();
  printLauncher();
  std::vector<CudaTextLine> all = std::move(indexHelpers_);
  std::move(lines_.begin(), lines_.end(), std::back_inserter(all));
  return all;
}

// An extent of a tensor is never negative.
static bool isExtent(const Function &function, const Var *var) {
  return llvm::any_of(function.buffers,
                      [&](const Buffer *buffer) { return llvm::is_contained(buffer->shape, var); });
}

void CudaWriter::declareParameters() {
  for (const Param &param : function_.params) {
    if (!param.var)
      continue;
    Interval range = rangeOf(param.var->dtype());
    if (isExtent(function_, param.var))
      range.low = 0;
    declareVar(param.var, range);
  }
  for (const Buffer *buffer : function_.buffers)
    bufferNames_[buffer->id] = names_.declare(buffer->name);
}

void CudaWriter::printSignature() {
  std::vector<std::string> params;
  for (const Param &param : kernelParams(function_)) {
    if (param.var) {
      params.push_back(cudaTypeName(param.var->dtype()) + " " + varNames_[param.var->id.value]);
      continue;
    }
    const Buffer &tensor = buffer(param.buffer);
    bool isWritten = false;
    walk(launch_.body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(*state_.context, stmt))
        isWritten |= access.buffer == param.buffer && access.effect != Effect::Read;
      return true;
    });
    params.push_back((isWritten ? "" : "const ") + cudaTypeName(tensor.dtype) + " *__restrict__ " +
                     bufferNames_[tensor.id]);
  }
  openBlock(llvm::formatv("extern \"C\" __global__ void __launch_bounds__({0}) {1}({2})",
                          launch_.threads, kernelName_, llvm::join(params, ", ")));
}

void CudaWriter::declareLaunchVars(const Launch &launch) {
  constexpr llvm::StringRef Dimensions[] = {"x", "y", "z"};
  std::string raster;
  if (launch.raster.panelSize > 0 && launch.blockVars.size() >= 2) {
    raster = names_.declare("block");
    Helper order = launch.raster.columnMajor ? Helper::RasterColumns : Helper::RasterRows;
    line(llvm::formatv("const uint2 {0} = {1}<{2}>();", raster, call(order),
                       launch.raster.panelSize));
  }
  for (size_t dim = 0; dim < launch.blockVars.size(); ++dim) {
    Interval extent = bounds_.of(launch.gridExtents[dim]);
    Interval range{0, std::min<int64_t>(std::max<int64_t>(extent.high, 1), INT32_MAX) - 1};
    std::string name = declareVar(launch.blockVars[dim], range);
    std::string source = !raster.empty() && dim < 2 ? raster : "blockIdx";
    line(llvm::formatv("{0}const int {1} = static_cast<int>({2}.{3});",
                       unusedMark(launch.blockVars[dim]), name, source, Dimensions[dim]));
  }
  std::string thread = declareVar(launch.threadVar, {0, launch.threads - 1});
  line(llvm::formatv("{0}const int {1} = static_cast<int>(threadIdx.x);",
                     unusedMark(launch.threadVar), thread));
  // A quotient of a signed number costs instructions, and known zero bits save registers: attention
  // of 128 x 128 by 256 threads has no spill with this line and 64 spilled registers without it.
  if (usedVars_.contains(launch.threadVar->id.value))
    line(llvm::formatv("__builtin_assume({0} >= 0 && {0} < {1}); // its quotients are shifts",
                       thread, launch.threads));
}

void CudaWriter::printKernel() {
  names_.declare(kernelName_);
  declareParameters();
  current_ = &launch_;
  printSignature();
  declareLaunchVars(launch_);
  declareBuffers();
  declareSlotPointers({launch_.body});
  blankLine();
  printStmt(launch_.body);
  current_ = &launch_;
  closeBlock();
  current_ = nullptr;
}

std::string CudaWriter::declareVar(const Var *var, Interval interval) {
  std::string name = names_.declare(var->name);
  varNames_[var->id.value] = name;
  bounds_.set(var, interval);
  bool isIndex = var->dtype().isInteger() && var->dtype().bits >= 32;
  if (isIndex && (var->dtype().bits == 64 || !interval.fitsInt32()) && !var->dtype().isUnsigned())
    wideVars_.insert(var->id.value);
  return name;
}

llvm::StringRef CudaWriter::unusedMark(const Var *var) const {
  return usedVars_.contains(var->id.value) ? "" : "[[maybe_unused]] ";
}

bool CudaWriter::inScope(const Expr *expr) const {
  bool known = true;
  walk(expr, [&](const Expr *part) {
    if (const auto *var = llvm::dyn_cast<Var>(part))
      known &= varNames_.contains(var->id.value);
    if (const auto *load = llvm::dyn_cast<Load>(part); load)
      known = false;
  });
  return known;
}

// Puts the kernel's line above what was made of it, once for all statements of an anchor.
void CudaWriter::commentOn(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  bool isLowered = stmt.anchor() != stmt.id();
  bool isLoop = llvm::isa<For>(stmt);
  bool hasComment = op ? !isSynchronisation(stmt) : isLoop || isLowered;
  // A snapshot that was read back may point into a file that is not here.
  bool isHere = stmt.span().isValid() && stmt.span().file.value < state_.files.size();
  if (!isHere || stmt.anchor() == anchor_ || !hasComment)
    return;
  anchor_ = stmt.anchor();
  const SourceFile &file = state_.files.get(stmt.span().file);
  llvm::StringRef source =
      llvm::StringRef(state_.files.lineText(stmt.span().file, stmt.span().line)).trim();
  // A backslash at the end would make the next line part of the comment.
  line(llvm::formatv("// {0}:{1}: {2}", withoutControls(llvm::sys::path::filename(file.path), ""),
                     stmt.span().line, withoutControls(source.rtrim("\\ \t"), "\t")));
}

void CudaWriter::printStmts(StmtList stmts) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    printStmt(stmts[i]);
    if (const auto *bind = llvm::dyn_cast<Bind>(stmts[i]); bind && choosesSlots(*bind->var))
      declareSlotPointers(stmts.drop_front(i + 1));
  }
}

void CudaWriter::printStmt(const Stmt *stmt) {
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
    return printStmts(seq->stmts);
  const Stmt *outer = current_;
  current_ = stmt;
  auto restore = llvm::make_scope_exit([&] { current_ = outer; });
  commentOn(*stmt);
  switch (stmt->kind()) {
  case StmtKind::For:
    return printFor(*llvm::cast<For>(stmt));
  case StmtKind::If:
    return printIf(*llvm::cast<If>(stmt));
  case StmtKind::Bind:
    return printBind(*llvm::cast<Bind>(stmt));
  case StmtKind::Store:
    return printStore(*llvm::cast<Store>(stmt));
  case StmtKind::Op:
    return emitOp(*llvm::cast<OpStmt>(stmt), *this);
  case StmtKind::Seq:
  case StmtKind::Parallel:
  case StmtKind::Launch:
    break;
  }
  assert(false && "statement must not be left after lowering");
}

// Whether the loop changes what its bounds are computed from: C++ would ask again, the IR does not.
static bool storesBoundsOf(Context &context, const For &loop) {
  llvm::DenseSet<uint32_t> loaded;
  for (const BufferAccess &access : accessesOf(context, &loop))
    loaded.insert(access.buffer.value);
  bool found = false;
  walk(loop.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt))
      found |= access.effect != Effect::Read && loaded.contains(access.buffer.value);
    return !found && !loaded.empty();
  });
  return found;
}

void CudaWriter::printFor(const For &loop) {
  auto outerSlots = slotNames_;
  std::string first = index(loop.min);
  std::string end = index(indexBinary(BinaryOp::Add, loop.min, loop.extent));
  Interval range = bounds_.ofLoop(loop.min, loop.extent);
  bool wide = !bounds_.of(indexBinary(BinaryOp::Add, loop.min, loop.extent)).fitsInt32();
  if (storesBoundsOf(*state_.context, loop)) {
    std::string kept = names_.declare((loop.var->name + "_end").str());
    line(llvm::formatv("const {0} {1} = {2};", wide ? "i64" : "int", kept, end));
    end = kept;
  }
  if (loop.forKind != ForKind::Serial && loop.forKind != ForKind::Pipelined)
    line("#pragma unroll");
  names_.enter();
  std::string name = declareVar(loop.var, range);
  if (wide)
    wideVars_.insert(loop.var->id.value);
  else
    wideVars_.erase(loop.var->id.value);
  openBlock(llvm::formatv("for ({0} {1} = {2}; {1} < {3}; ++{1})", wide ? "i64" : "int", name,
                          first, end));
  if (choosesSlots(*loop.var))
    declareSlotPointers({loop.body});
  printStmt(loop.body);
  closeBlock();
  names_.leave();
  varNames_.erase(loop.var->id.value);
  slotNames_ = std::move(outerSlots);
}

void CudaWriter::printIf(const If &stmt) {
  auto outerSlots = slotNames_;
  openBlock("if (" + condition(stmt.condition) + ")");
  printStmt(stmt.thenBody);
  slotNames_ = outerSlots;
  if (stmt.elseBody) {
    names_.leave();
    --indent_;
    openBlock("} else");
    printStmt(stmt.elseBody);
    slotNames_ = std::move(outerSlots);
  }
  closeBlock();
}

void CudaWriter::printBind(const Bind &bind) {
  DType dtype = bind.var->dtype();
  if (!dtype.isInteger()) {
    std::string text = value(bind.value);
    std::string name = declareVar(bind.var, {});
    return line(llvm::formatv("{0}const {1} {2} = {3};", unusedMark(bind.var), valueType(dtype),
                              name, text));
  }
  Interval range = bounds_.of(bind.value);
  std::string text = index(bind.value);
  std::string name = declareVar(bind.var, range);
  bool fits = range.fitsInt32();
  std::string type = fits ? "int" : dtype.isUnsigned() ? cudaTypeName(dtype) : "i64";
  if (fits)
    wideVars_.erase(bind.var->id.value);
  line(llvm::formatv("{0}const {1} {2} = {3};", unusedMark(bind.var), type, name,
                     fits && print(bind.value, Width::Index).wide ? "int(" + text + ")" : text));
}

void CudaWriter::printStore(const Store &store) {
  const Buffer &target = buffer(store.buffer);
  std::string base = baseName(target, store.slot);
  std::string place = target.scope == Scope::LocalVar ? "" : physicalIndex(target, store.indices);
  bool isPacked = target.dtype.bits < 8;
  line(assignment(target, base, place, isPacked ? withoutRange(store.value) : value(store.value)));
}

} // namespace tilescope
