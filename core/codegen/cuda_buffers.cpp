#include "core/codegen/cuda_buffers.h"

#include "core/analysis/shared_bytes.h"
#include "core/codegen/arena_extent.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

bool isRegister(const Buffer &buffer) {
  return buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar ||
         buffer.scope == Scope::Fragment;
}

// Elements of one version as they lie in memory, padding included.
int64_t storedElements(const Buffer &buffer) {
  return *versionBytes(buffer) * 8 / buffer.dtype.bits;
}

std::string typeText(const Buffer &buffer) { return cudaTypeName(buffer.dtype); }

} // namespace

void CudaBuffers::declareNames() {
  for (const Buffer *buffer : state_.function.buffers)
    bufferNames_[buffer->id] = state_.names.declare(buffer->name);
}

void CudaBuffers::declareAll() {
  auto isPlaced = [](const Buffer &buffer) {
    return buffer.scope == Scope::Shared && (buffer.offsetBytes || isSizedAtLaunch(buffer));
  };
  bool hasArena = llvm::any_of(state_.function.buffers,
                               [&](const Buffer *buffer) { return isPlaced(*buffer); });
  if (hasArena)
    line("extern __shared__ __align__(1024) unsigned char arena[];");
  std::vector<const Buffer *> shared;
  for (const Buffer *buffer : state_.function.buffers)
    if (isPlaced(*buffer) || buffer->scope == Scope::SharedStatic)
      shared.push_back(buffer);
  llvm::stable_sort(shared, [](const Buffer *a, const Buffer *b) {
    return a->offsetBytes.value_or(INT64_MAX) < b->offsetBytes.value_or(INT64_MAX);
  });
  for (const Buffer *buffer : shared)
    declareShared(*buffer);
  for (const Buffer *buffer : state_.function.buffers)
    if (isRegister(*buffer))
      declareRegisters(*buffer);
}

static std::string sharesText(const Function &function, const Buffer &buffer) {
  auto shareBytes = [](const Buffer &a, const Buffer &b) {
    if (a.launchRegion || b.launchRegion)
      return a.launchRegion == b.launchRegion;
    return a.offsetBytes && b.offsetBytes && *a.offsetBytes < endBytes(b) &&
           *b.offsetBytes < endBytes(a);
  };
  std::vector<std::string> others;
  for (const Buffer *other : function.buffers)
    if (other != &buffer && shareBytes(buffer, *other))
      others.push_back(other->name.str());
  return others.empty() ? "bytes not shared" : "shares bytes with " + llvm::join(others, ", ");
}

static std::string accessLinesText(const CudaUses &uses, const Buffer &buffer) {
  std::vector<uint32_t> lines = uses.accessLines.lookup(buffer.id.value);
  if (lines.empty())
    return "";
  auto [first, last] = std::minmax_element(lines.begin(), lines.end());
  if (*first == *last)
    return llvm::formatv(", used at line {0}", *first);
  return llvm::formatv(", used at lines {0} to {1}", *first, *last);
}

// Shape, type and layout; byte ranges of all versions; who has the same bytes, and when it is used.
std::vector<std::string> CudaBuffers::sharedComment(const Buffer &buffer) {
  std::vector<std::string> extents;
  for (const Expr *extent : buffer.shape)
    extents.push_back(exprs_.index(extent));
  std::string head = buffer.name.str() + ": " + buffer.dtype.name() + "[" +
                     llvm::join(extents, ", ") + "], " +
                     (buffer.layout ? toString(*buffer.layout) : "row_major");
  if (buffer.scope == Scope::SharedStatic)
    return {head + ", static" + accessLinesText(state_.uses, buffer)};
  std::string versions =
      buffer.versions > 1 ? llvm::formatv(", {0} versions", buffer.versions).str() : "";
  if (!buffer.offsetBytes)
    return {head + versions + ", its size is known at launch",
            "  " + sharesText(state_.function, buffer) + accessLinesText(state_.uses, buffer)};
  std::string ranges;
  for (int64_t version = 0; version < buffer.versions; ++version) {
    int64_t begin = *buffer.offsetBytes + version * *versionStrideBytes(buffer);
    ranges += llvm::formatv(" [{0}, {1})", begin, begin + *versionBytes(buffer));
  }
  return {head + versions + ", bytes" + ranges,
          "  " + sharesText(state_.function, buffer) + accessLinesText(state_.uses, buffer)};
}

void CudaBuffers::declareShared(const Buffer &buffer) {
  const std::string &name = bufferNames_[buffer.id];
  std::string unused = state_.uses.accessed.contains(buffer.id.value) ? "" : "[[maybe_unused]] ";
  for (const std::string &comment : sharedComment(buffer))
    line("// " + comment);
  state_.lines.nameShared(buffer.id);
  if (buffer.scope == Scope::SharedStatic) {
    int64_t elements =
        buffer.versions * *versionStrideBytes(buffer) * 8 / std::max<int>(buffer.dtype.bits, 8);
    line(llvm::formatv("{0}__shared__ alignas(128) {1} {2}[{3}];", unused, typeText(buffer), name,
                       std::max<int64_t>(elements, 1)));
  } else if (state_.module.options.aliases) {
    line(llvm::formatv("{0}{1} *const {2} = reinterpret_cast<{1} *>(arena + {3});", unused,
                       typeText(buffer), name, beginText(buffer)));
  }
  if (buffer.versions > 1 && (state_.module.options.aliases || buffer.scope == Scope::SharedStatic))
    declareConstantSlots(buffer);
}

std::string CudaBuffers::beginText(const Buffer &buffer) {
  return exprs_.index(arenaBegin(state_.module.context, state_.function, buffer));
}

// Elements (bytes, of smaller types) from one version to the next.
std::string CudaBuffers::slotElementsText(const Buffer &buffer) {
  Builder builder(state_.module.context);
  int64_t unitBytes = std::max<int>(buffer.dtype.bits, 8) / 8;
  return exprs_.index(builder.floorDiv(slotStride(state_.module.context, buffer),
                                       builder.integer(unitBytes, DType::int64())));
}

void CudaBuffers::declareConstantSlots(const Buffer &buffer) {
  const std::string &name = bufferNames_[buffer.id];
  llvm::StringRef type = isSizedAtLaunch(buffer) ? "const i64" : "constexpr int";
  std::vector<int64_t> slots = state_.uses.constantSlots.lookup(buffer.id.value);
  bool usesStride = state_.uses.computesSlots.contains(buffer.id.value) ||
                    llvm::any_of(slots, [](int64_t slot) { return slot != 0; });
  const std::string &stride = strideNames_[buffer.id] = state_.names.declare(name + "_slot");
  if (usesStride) {
    state_.lines.nameShared(buffer.id);
    line(llvm::formatv("{0} {1} = {2};", type, stride, slotElementsText(buffer)));
  }
  llvm::sort(slots);
  for (int64_t slot : slots) {
    std::string slotName = state_.names.declare(llvm::formatv("{0}_v{1}", name, slot).str());
    slotNames_[{buffer.id, std::to_string(slot)}] = slotName;
    state_.lines.nameShared(buffer.id);
    std::string offset = slot == 0 ? "" : llvm::formatv(" + {0} * {1}", slot, stride).str();
    line(llvm::formatv("{0} *const {1} = {2}{3};", typeText(buffer), slotName, name, offset));
  }
}

void CudaBuffers::declareRegisters(const Buffer &buffer) {
  if (!state_.uses.accessed.contains(buffer.id.value))
    return;
  const std::string &name = bufferNames_[buffer.id];
  if (buffer.scope == Scope::LocalVar) {
    line(llvm::formatv("{0} {1};", cudaValueType(buffer.dtype), name));
    return;
  }
  int64_t elements = buffer.dtype.bits < 8 ? *versionBytes(buffer) : storedElements(buffer);
  elements = std::max<int64_t>(elements * buffer.versions, 1);
  int64_t bytes = elements * std::max<int>(buffer.dtype.bits, 8) / 8;
  bool needsAlignment = state_.uses.accessedAsWords.contains(buffer.id.value);
  std::string alignment = needsAlignment && bytes >= 4 ? "alignas(16) " : "";
  line(llvm::formatv("{0}{1} {2}[{3}];", alignment, typeText(buffer), name, elements));
}

void CudaBuffers::declareSlotPointers(llvm::ArrayRef<const Stmt *> stmts) {
  if (!state_.module.options.aliases)
    return;
  for (const Stmt *root : stmts)
    walk(root, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(state_.module.context, stmt)) {
        const Buffer &accessedBuffer = buffer(access.buffer);
        if (!access.slot || constantValue(access.slot) || !isShared(accessedBuffer.scope) ||
            !state_.vars.inScope(access.slot))
          continue;
        std::string slot = exprs_.index(access.slot);
        if (slotNames_.contains({access.buffer, slot}))
          continue;
        std::string name = slotPointerName(accessedBuffer, access.slot);
        slotNames_[{access.buffer, slot}] = name;
        state_.lines.nameShared(access.buffer);
        line(llvm::formatv("{0} *const {1} = {2} + ({3}) * {4};", typeText(accessedBuffer), name,
                           bufferNames_[access.buffer], slot, strideNames_[access.buffer]));
      }
      return true;
    });
}

// "A_shared_ko" for slot ko % 3, "A_shared_ko2" for (ko + 2) % 3, else a numbered name.
std::string CudaBuffers::slotPointerName(const Buffer &buffer, const Expr *slot) {
  const std::string &base = bufferNames_[buffer.id];
  const auto *mod = llvm::dyn_cast<Binary>(slot);
  const Expr *inner = mod && mod->op == BinaryOp::FloorMod ? mod->lhs : slot;
  std::string suffix;
  if (const auto *sum = llvm::dyn_cast<Binary>(inner); sum && sum->op == BinaryOp::Add) {
    if (std::optional<int64_t> distance = constantValue(sum->rhs); distance && *distance > 0) {
      suffix = std::to_string(*distance);
      inner = sum->lhs;
    }
  }
  if (const auto *var = llvm::dyn_cast<Var>(inner))
    return state_.names.declare(base + "_" + state_.vars.nameOf(var) + suffix);
  return state_.names.declare(base + "_s");
}

std::string CudaBuffers::baseName(const Buffer &buffer, const Expr *slot) {
  if (isShared(buffer.scope))
    state_.lines.nameShared(buffer.id);
  const std::string &name = bufferNames_[buffer.id];
  bool throughArena = buffer.scope == Scope::Shared && !state_.module.options.aliases;
  std::string slotText = slot ? exprs_.index(slot) : "0";
  if (throughArena) {
    std::string offset = beginText(buffer);
    std::string stride = exprs_.index(slotStride(state_.module.context, buffer));
    if (isSizedAtLaunch(buffer))
      stride = "(" + stride + ")";
    if (slotText != "0")
      offset += llvm::formatv(" + ({0}) * {1}", slotText, stride);
    return llvm::formatv("reinterpret_cast<{0} *>(arena + {1})", typeText(buffer), offset);
  }
  if (!slot)
    return name;
  auto found = slotNames_.find({buffer.id, slotText});
  if (found != slotNames_.end())
    return found->second;
  if (isRegister(buffer))
    return llvm::formatv("({0} + ({1}) * {2})", name, slotText, storedElements(buffer));
  return llvm::formatv("({0} + ({1}) * {2})", name, slotText, strideNames_[buffer.id]);
}

llvm::SmallVector<const Expr *> firstIndices(const BufferRegion &region) {
  llvm::SmallVector<const Expr *> indices;
  for (const Range &range : region.ranges)
    indices.push_back(range.min);
  return indices;
}

std::string CudaBuffers::placeOf(const Buffer &buffer, ExprList indices) {
  return buffer.scope == Scope::LocalVar ? "" : places_.physicalIndex(buffer, indices);
}

std::string CudaBuffers::address(const BufferRegion &region) {
  const Buffer &target = buffer(region.buffer);
  std::string base = baseName(target, region.slot);
  if (target.scope == Scope::LocalVar)
    return "&" + base;
  std::string place = places_.physicalIndex(target, firstIndices(region));
  if (target.dtype.bits < 8)
    place = "(" + place + ") / 2";
  return place == "0" ? base : "&" + base + "[" + place + "]";
}

std::string CudaBuffers::element(BufferId id, const Expr *slot, ExprList indices) {
  const Buffer &source = buffer(id);
  std::string base = baseName(source, slot);
  if (source.scope == Scope::LocalVar)
    return base;
  std::string place = places_.physicalIndex(source, indices);
  if (source.dtype.bits < 8) {
    Helper load = source.dtype.isFloat()      ? Helper::LoadF4
                  : source.dtype.isUnsigned() ? Helper::LoadU4
                                              : Helper::LoadI4;
    return state_.module.helpers.call(load) + "(" + base + ", " + place + ")";
  }
  return base + "[" + place + "]";
}

std::string CudaBuffers::assignment(const Buffer &target, const std::string &base,
                                    const std::string &place, const std::string &text) {
  bool isPacked = target.dtype.bits < 8;
  if (target.scope == Scope::LocalVar)
    return base + " = " + (isPacked ? exprs_.inRange(target.dtype, text) : text) + ";";
  if (!isPacked)
    return base + "[" + place + "] = " + text + ";";
  std::string code = target.dtype.isFloat()
                         ? state_.module.helpers.call(Helper::EncodeF4) + "(" + text + ")"
                         : text;
  return llvm::formatv("{0}({1}, {2}, {3});", state_.module.helpers.call(Helper::Store4), base,
                       place, code);
}

} // namespace tilescope
