#include "core/codegen/cuda_writer.h"

#include "core/analysis/shared_bytes.h"
#include "core/codegen/cuda_launcher.h"
#include "core/ir/op_facts.h"
#include "core/ir/verify_roles.h"
#include "core/ir/visit.h"
#include "core/support/printable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

namespace tilescope {

CudaWriter::CudaWriter(CudaModuleState &module, const Function &function,
                       const LaunchRecord &record)
    : record_(record), state_{module,
                              function,
                              launchOf(function),
                              collectUses(module.context, function, launchOf(function).body),
                              boxedTensorsOf(module.context, function),
                              {},
                              {}},
      exprs_(module.helpers, state_.vars,
             [this](const Load &load) {
               return buffers_.element(load.buffer, load.slot, load.indices);
             }),
      buffers_(state_, exprs_), counters_(state_, exprs_),
      copyUnrolling_(computeCopyUnrolling(module.context, function, state_.launch)) {}

std::string CudaWriter::element(const BufferRegion &region) {
  return buffers_.element(region.buffer, region.slot, firstIndices(region));
}

std::string CudaWriter::pointer(const BufferRegion &region) {
  const Buffer &target = buffer(region.buffer);
  if (target.scope != Scope::Global || isWritten(target.id))
    return address(region);
  return llvm::formatv("const_cast<{0} *>({1})", cudaTypeName(target.dtype), address(region));
}

bool CudaWriter::isWritten(BufferId tensor) const {
  bool found = false;
  walk(state_.launch.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(state_.module.context, stmt))
      found |= access.buffer == tensor && access.effect != Effect::Read;
    return !found;
  });
  return found;
}

std::string CudaWriter::assignment(const BufferRegion &region, const std::string &text) {
  const Buffer &target = buffer(region.buffer);
  std::string base = buffers_.baseName(target, region.slot);
  return buffers_.assignment(target, base, buffers_.placeOf(target, firstIndices(region)), text);
}

std::vector<CudaTextLine> CudaWriter::print() {
  for (const Buffer *buffer : state_.function.buffers)
    exprs_.useHeaderOf(buffer->dtype);
  printKernel();
  printLauncher(state_, record_, exprs_, buffers_);
  std::vector<CudaTextLine> all = buffers_.takePlaceFunctions();
  llvm::append_range(all, state_.lines.take());
  return all;
}

// An extent of a tensor is never negative.
static bool isExtent(const Function &function, const Var *var) {
  return llvm::any_of(function.buffers,
                      [&](const Buffer *buffer) { return llvm::is_contained(buffer->shape, var); });
}

void CudaWriter::declareParameters() {
  for (const Param &param : state_.function.params) {
    if (!param.var)
      continue;
    Interval range = rangeOf(param.var->dtype());
    if (isExtent(state_.function, param.var))
      range.low = 0;
    state_.vars.declare(param.var, range);
  }
  buffers_.declareNames();
  for (const std::string &name : namesOf(state_.tensorMaps, state_.function))
    state_.tensorMapNames.push_back(state_.names.declare(name));
}

const std::string &CudaWriter::tensorMap(const OpStmt &op) const {
  BoxedTensor map = boxedTensorOf(state_.module.context, state_.function, op);
  auto found = llvm::find_if(state_.tensorMaps,
                             [&](const BoxedTensor &known) { return known.isSameMap(map); });
  return state_.tensorMapNames[static_cast<size_t>(found - state_.tensorMaps.begin())];
}

// A wide index would come back into the tensor as an int.
std::string boxCoordinates(const BufferRegion &box, CudaWriter &writer) {
  llvm::SmallVector<std::string, 5> coordinates;
  for (const Range &range : llvm::reverse(box.ranges)) {
    std::string text = writer.index(range.min);
    bool isWide = writer.isWideIndex(range.min);
    coordinates.push_back(isWide ? writer.call(Helper::TmaCoordinate) + "(" + text + ")" : text);
  }
  return llvm::join(coordinates, ", ");
}

// Whether shared memory leaves a multiprocessor room for a single block. nvcc is not told of it,
// and may keep nearly all values of a kernel that wants more registers than there are in memory, so
// that more blocks find room: the backward of sparse latent attention spilled 14,464 bytes at 32
// registers for 2,772 at 255.
static bool holdsOneBlock(const Target &target, const LaunchRecord &record) {
  int64_t bytes = 0;
  if (llvm::StringRef(record.dynamicSharedBytes).getAsInteger(10, bytes))
    return false;
  bytes += record.staticSharedBytes + target.reservedSharedBytesPerBlock;
  return 2 * bytes > target.sharedBytesPerSm;
}

void CudaWriter::printSignature() {
  std::vector<std::string> params;
  // What is read of an earlier launch. nvcc moves loads of what nobody seems to write over the wait
  // for it.
  bool changesMeanwhile = beginsEarly(state_.launch);
  for (const Param &param : kernelParams(state_.function)) {
    if (param.var) {
      params.push_back(cudaTypeName(param.var->dtype()) + " " + state_.vars.nameOf(param.var));
      continue;
    }
    const Buffer &tensor = buffer(param.buffer);
    params.push_back((isWritten(tensor.id) ? "" : "const ") + cudaTypeName(tensor.dtype) + " *" +
                     (changesMeanwhile ? "" : "__restrict__ ") + buffers_.nameOf(tensor.id));
  }
  for (const std::string &name : state_.tensorMapNames)
    params.push_back("const __grid_constant__ " + call(Helper::TensorMap) + " " + name);
  int64_t minBlocks = state_.launch.minBlocks;
  if (minBlocks == 0 && holdsOneBlock(state_.module.target, record_))
    minBlocks = 1;
  // A launch of such a kernel need not say again how large its clusters are.
  std::string cluster;
  for (int64_t blocks : state_.launch.cluster)
    cluster += (cluster.empty() ? " __cluster_dims__(" : ", ") + std::to_string(blocks);
  openBlock(llvm::formatv(
      "extern \"C\" __global__ void __launch_bounds__({0}{1}){2} {3}({4})", state_.launch.threads,
      minBlocks == 0 ? "" : ", " + std::to_string(minBlocks), cluster.empty() ? "" : cluster + ")",
      record_.kernel, llvm::join(params, ", ")));
  for (auto [map, name] : llvm::zip_equal(state_.tensorMaps, state_.tensorMapNames)) {
    std::string extents;
    for (int64_t extent : llvm::reverse(map.box))
      extents += (extents.empty() ? "" : " x ") + std::to_string(extent);
    line(llvm::formatv(
        "// {0}: boxes of {1} elements of {2}{3}", name, extents, buffers_.nameOf(map.tensor),
        map.swizzle == Swizzle::None
            ? ""
            : llvm::formatv(", rows of {0} bytes swizzled", spanOf(map.swizzle)).str()));
  }
}

static bool holdsRole(const Launch &launch) {
  bool isFound = false;
  walk(launch.body, [&](const Stmt *stmt) {
    isFound |= llvm::isa<Role>(stmt);
    return !isFound;
  });
  return isFound;
}

void CudaWriter::declareLaunchVars(const Launch &launch) {
  constexpr llvm::StringRef Dimensions[] = {"x", "y", "z"};
  std::string raster;
  bool isRasterRead = llvm::any_of(launch.blockVars.take_front(2),
                                   [this](const Var *block) { return isRead(block); });
  if (launch.raster.panelSize > 0 && launch.blockVars.size() >= 2 && isRasterRead) {
    raster = state_.names.declare("block");
    Helper order = launch.raster.columnMajor ? Helper::RasterColumns : Helper::RasterRows;
    line(llvm::formatv("const uint2 {0} = {1}<{2}>();", raster, call(order),
                       launch.raster.panelSize));
  }
  for (size_t dim = 0; dim < launch.blockVars.size(); ++dim) {
    Interval extent = state_.vars.bounds().of(launch.gridExtents[dim]);
    Interval range{0, std::min<int64_t>(std::max<int64_t>(extent.high, 1), INT32_MAX) - 1};
    std::string name = state_.vars.declare(launch.blockVars[dim], range);
    std::string source = !raster.empty() && dim < 2 ? raster : "blockIdx";
    if (isRead(launch.blockVars[dim]))
      line(llvm::formatv("const int {0} = static_cast<int>({1}.{2});", name, source,
                         Dimensions[dim]));
  }
  std::string thread = state_.vars.declare(launch.threadVar, {0, launch.threads - 1});
  if (!isRead(launch.threadVar))
    return;
  line(llvm::formatv("const int {0} = static_cast<int>(threadIdx.x);", thread));
  // A quotient of a signed number costs instructions, and known zero bits save registers: attention
  // of 128 x 128 by 256 threads has no spill with this line and 64 spilled registers without it.
  line(llvm::formatv("__builtin_assume({0} >= 0 && {0} < {1}); // its quotients are shifts", thread,
                     launch.threads));
  // Where a warp is seen to have one role, ptxas keeps addresses of operands in uniform registers:
  // of persistent attention the loop is 461 instructions and not 535.
  if (!target().hasWgmma() || !holdsRole(launch))
    return;
  warpThread_ = state_.names.declare("warp_" + thread);
  line(llvm::formatv(
      "const int {0} = __shfl_sync(0xffffffffu, {1}, 0); // the same in all of a warp", warpThread_,
      thread));
}

void CudaWriter::printKernel() {
  state_.names.declare(record_.kernel);
  declareParameters();
  state_.lines.setStatement(&state_.launch);
  printSignature();
  declareLaunchVars(state_.launch);
  buffers_.declareAll();
  buffers_.declareSlotPointers({state_.launch.body});
  state_.lines.blankLine();
  printStmt(state_.launch.body);
  state_.lines.setStatement(&state_.launch);
  closeBlock();
  state_.lines.setStatement(nullptr);
}

bool CudaWriter::isRead(const Var *var) const { return state_.uses.vars.contains(var->id.value); }

llvm::StringRef CudaWriter::unusedMark(const Var *var) const {
  return isRead(var) ? "" : "[[maybe_unused]] ";
}

// Puts the kernel's line above what was made of it, once for all statements of an anchor.
void CudaWriter::commentOn(const Stmt &stmt) {
  const auto *op = llvm::dyn_cast<OpStmt>(&stmt);
  bool isLowered = stmt.anchor() != stmt.id();
  bool isLoop = llvm::isa<For, Role>(stmt);
  bool hasComment = op ? !isSynchronisation(stmt) : isLoop || isLowered;
  // What a pass made of nothing stands nowhere.
  bool isHere = stmt.span().isValid() && stmt.span().file.value < state_.module.files.size();
  if (!isHere || stmt.anchor() == anchor_ || !hasComment)
    return;
  anchor_ = stmt.anchor();
  const SourceFile &file = state_.module.files.get(stmt.span().file);
  llvm::StringRef source =
      llvm::StringRef(state_.module.files.lineText(stmt.span().file, stmt.span().line)).trim();
  // A backslash at the end would make the next line part of the comment.
  std::string text = withoutControls(source.rtrim("\\ \t"), "\t");
  line(llvm::formatv("// {0}:{1}{2}", withoutControls(llvm::sys::path::filename(file.path), ""),
                     stmt.span().line, text.empty() ? "" : ": " + text));
}

// Threads that had one of the roles before, one behind the other, skip it: so warps come to each
// from one place.
static bool isOfOthers(const Role &role, llvm::ArrayRef<const Role *> before) {
  return !before.empty() && llvm::all_of(before, [&](const Role *other) {
    return other->endThread() <= role.firstThread || role.endThread() <= other->firstThread;
  });
}

// What one thread does for the block stands in one block.
void CudaWriter::printStmts(StmtList stmts) {
  auto isElected = [&](const Stmt *stmt) { return !isAlone_ && isForOne(*stmt); };
  llvm::SmallVector<const Role *> before; // roles that stand one behind the other
  for (size_t i = 0; i < stmts.size(); ++i) {
    const auto *role = llvm::dyn_cast<Role>(stmts[i]);
    isElse_ = role && !warpThread_.empty() && isOfOthers(*role, before);
    if (role)
      before.push_back(role);
    else
      before.clear();
    bool isFirst = isElected(stmts[i]) && (i == 0 || !isElected(stmts[i - 1]));
    bool isLast = isElected(stmts[i]) && (i + 1 == stmts.size() || !isElected(stmts[i + 1]));
    if (isFirst)
      openBlock("if (threadIdx.x == " + std::to_string(elected_) + ")");
    printOne(stmts[i]);
    if (isLast)
      closeBlock();
    if (const auto *bind = llvm::dyn_cast<Bind>(stmts[i]); bind && choosesSlots(*bind->var))
      buffers_.declareSlotPointers(stmts.drop_front(i + 1));
  }
}

void CudaWriter::printStmt(const Stmt *stmt) {
  const auto *seq = llvm::dyn_cast<Seq>(stmt);
  printStmts(seq ? seq->stmts : StmtList(stmt));
}

void CudaWriter::printOne(const Stmt *stmt) {
  const Stmt *outer = state_.lines.setStatement(stmt);
  auto restore = llvm::make_scope_exit([&] { state_.lines.setStatement(outer); });
  commentOn(*stmt);
  switch (stmt->kind()) {
  case StmtKind::For:
    return printFor(*llvm::cast<For>(stmt));
  case StmtKind::If:
    return printIf(*llvm::cast<If>(stmt));
  case StmtKind::Role:
    return printRole(*llvm::cast<Role>(stmt));
  case StmtKind::Break:
    return line(loopEnd_.empty() ? "break;" : loopEnd_ + " = true;");
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

// Adds the buffers that share bytes with one of these.
static void addThoseAt(const Function &function, llvm::DenseSet<uint32_t> &buffers) {
  const std::vector<BufferBytes> places = bufferBytesOf(function);
  auto endOf = [&](const BufferBytes &place) {
    int64_t versions = function.buffer(place.buffer).versions;
    return place.offsetBytes + place.strideBytes * (versions - 1) + place.sizeBytes;
  };
  const llvm::DenseSet<uint32_t> known = buffers;
  for (const BufferBytes &place : places)
    for (const BufferBytes &other : places)
      if (known.contains(place.buffer.value) && place.offsetBytes < endOf(other) &&
          other.offsetBytes < endOf(place))
        buffers.insert(other.buffer.value);
}

// Whether the loop changes what its bounds are computed from: C++ would ask again, the IR does not.
static bool storesBoundsOf(Context &context, const Function &function, const For &loop) {
  llvm::DenseSet<uint32_t> loaded;
  for (const BufferAccess &access : accessesOf(context, &loop))
    loaded.insert(access.buffer.value);
  if (!loaded.empty())
    addThoseAt(function, loaded);
  bool found = false;
  walk(loop.body, [&](const Stmt *stmt) {
    for (const BufferAccess &access : accessesOf(context, stmt))
      found |= access.effect != Effect::Read && loaded.contains(access.buffer.value);
    return !found && !loaded.empty();
  });
  return found;
}

void CudaWriter::printFor(const For &loop) {
  std::string ended;
  if (mayEndEarly(loop) && !endsInPlace(loop)) {
    ended = state_.names.declare((loop.var->name + "_ended").str());
    line(llvm::formatv("bool {0} = false;", ended));
  }
  llvm::SaveAndRestore outer(loopEnd_, ended);
  if (loop.forKind == ForKind::Endless)
    return printEndless(loop);
  CudaBuffers::SlotNames outerSlots = buffers_.slotNames();
  std::string first = exprs_.index(loop.min);
  const Expr *behind = indexBinary(state_.module.context, BinaryOp::Add, loop.min, loop.extent);
  std::string end = exprs_.index(behind);
  Interval range = state_.vars.bounds().ofLoop(loop.min, loop.extent);
  bool wide = !state_.vars.bounds().of(behind).fitsInt32();
  if (storesBoundsOf(state_.module.context, state_.function, loop)) {
    std::string kept = state_.names.declare((loop.var->name + "_end").str());
    line(llvm::formatv("const {0} {1} = {2};", wide ? "i64" : "int", kept, end));
    end = kept;
  }
  bool isUnrolled = loop.forKind != ForKind::Serial && loop.forKind != ForKind::Pipelined;
  if (auto copies = copyUnrolling_.find(&loop); copies != copyUnrolling_.end())
    line(llvm::formatv("#pragma unroll {0} // for more loads at once registers are too few",
                       copies->second));
  else if (isUnrolled && !mayEndEarly(loop))
    line("#pragma unroll");
  CudaCounters::LoopNames counters = counters_.declare(loop);
  state_.names.enter();
  std::string name = state_.vars.declare(loop.var, range);
  state_.vars.setWide(loop.var, wide);
  CudaVars::Held outerHeld = state_.vars.held();
  counters_.start(counters);
  openBlock(llvm::formatv("for ({0} {1} = {2}; {1} < {3}{4}; ++{1})", wide ? "i64" : "int", name,
                          first, end, loopEnd_.empty() ? "" : " && !" + loopEnd_));
  if (choosesSlots(*loop.var))
    buffers_.declareSlotPointers({loop.body});
  printStmt(loop.body);
  state_.vars.setHeld(std::move(outerHeld));
  counters_.advance(counters);
  closeBlock();
  state_.names.leave();
  state_.vars.leave(loop.var);
  buffers_.setSlotNames(std::move(outerSlots));
}

void CudaWriter::printEndless(const For &loop) {
  CudaBuffers::SlotNames outerSlots = buffers_.slotNames();
  openBlock(loopEnd_.empty() ? "while (true)" : "while (!" + loopEnd_ + ")");
  printStmt(loop.body);
  closeBlock();
  buffers_.setSlotNames(std::move(outerSlots));
}

void CudaWriter::printIf(const If &stmt) {
  CudaBuffers::SlotNames outerSlots = buffers_.slotNames();
  openBlock("if (" + condition(stmt.condition) + ")");
  printStmt(stmt.thenBody);
  buffers_.setSlotNames(outerSlots);
  if (stmt.elseBody) {
    state_.lines.elseBlock();
    printStmt(stmt.elseBody);
    buffers_.setSlotNames(std::move(outerSlots));
  }
  closeBlock();
}

// Whether one thread does all the work of the role, so that the others would only wait beside it.
// What takes several, as an exchange does, is a statement; no expression does.
static bool isOfOneThread(const Role &role) {
  bool hasWork = false, isOfOne = true;
  walk(role.thenBody, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    hasWork |= isForOne(*stmt);
    isOfOne &= op ? isForOne(*op) || op->opInfo().sync == OpSync::WaitPhase
                  : llvm::isa<Seq, For, If, Bind, Break>(stmt);
    return isOfOne;
  });
  return hasWork && isOfOne;
}

// The last of the block needs no upper end, and all of it no condition.
void CudaWriter::printRole(const Role &role) {
  int64_t threads = state_.launch.threads;
  line(llvm::formatv("// Role{0}: threads {1} to {2}.", role.name.empty() ? "" : " " + role.name,
                     role.firstThread, role.endThread() - 1));
  std::string first = warpThread_.empty() ? value(role.threadVar) : warpThread_;
  std::string from =
      role.firstThread == 0 ? "" : llvm::formatv("{0} >= {1}", first, role.firstThread).str();
  std::string to =
      role.endThread() >= threads ? "" : llvm::formatv("{0} < {1}", first, role.endThread()).str();
  std::string both = from + (from.empty() || to.empty() ? "" : " && ") + to;
  CudaBuffers::SlotNames outerSlots = buffers_.slotNames();
  openBlock(both.empty() ? "" : (isElse_ ? "else if (" : "if (") + both + ")");
  if (int64_t entry = registersAtEntry(threads, state_.launch.minBlocks); role.registers > entry)
    line(llvm::formatv("{0}<{1}>();", call(Helper::RaiseRegisters), role.registers));
  else if (role.registers != 0)
    line(llvm::formatv("{0}<{1}>();", call(Helper::LowerRegisters), role.registers));
  state_.vars.setRange(role.threadVar, {role.firstThread, role.endThread() - 1});
  elected_ = role.firstThread;
  isAlone_ = isOfOneThread(role);
  if (isAlone_)
    openBlock("if (threadIdx.x == " + std::to_string(elected_) + ")");
  printStmt(role.thenBody);
  if (isAlone_)
    closeBlock();
  isAlone_ = false;
  elected_ = 0;
  state_.vars.setRange(role.threadVar, {0, threads - 1});
  buffers_.setSlotNames(std::move(outerSlots));
  closeBlock();
}

void CudaWriter::printBind(const Bind &bind) {
  DType dtype = bind.var->dtype();
  if (!dtype.isInteger()) {
    std::string text = value(bind.value);
    std::string name = state_.vars.declare(bind.var, {});
    return line(llvm::formatv("{0}const {1} {2} = {3};", unusedMark(bind.var),
                              exprs_.valueType(dtype), name, text));
  }
  Interval range = state_.vars.bounds().of(bind.value);
  std::string text = exprs_.index(bind.value);
  std::string name = state_.vars.declare(bind.var, range);
  bool fits = range.fitsInt32();
  std::string type = fits ? "int" : dtype.isUnsigned() ? cudaTypeName(dtype) : "i64";
  if (fits)
    state_.vars.setWide(bind.var, false);
  line(llvm::formatv("{0}const {1} {2} = {3};", unusedMark(bind.var), type, name,
                     fits && exprs_.isWideIndex(bind.value) ? "int(" + text + ")" : text));
}

void CudaWriter::printStore(const Store &store) {
  const Buffer &target = buffer(store.buffer);
  std::string base = buffers_.baseName(target, store.slot);
  std::string place = buffers_.placeOf(target, store.indices);
  bool isPacked = target.dtype.bits < 8;
  line(buffers_.assignment(target, base, place,
                           isPacked ? exprs_.withoutRange(store.value) : value(store.value)));
}

} // namespace tilescope
