// Names and addresses of buffers. Every access goes through a name chosen by buffer identity:
//
//   A_shared        slot 0, always
//   A_shared_v1     slot 1, where an access has this constant slot
//   A_shared_ko     slot ko % 3: one pointer at the head of the body of loop `ko`
#include "core/codegen/arena_extent.h"
#include "core/codegen/cuda_writer.h"

#include "core/analysis/shared_bytes.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

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

int64_t endBytes(const Buffer &buffer) {
  return *buffer.offsetBytes + buffer.versions * *versionStrideBytes(buffer);
}

} // namespace

int64_t plannedBytes(const Function &function) {
  int64_t end = 0;
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope == Scope::Shared && buffer->offsetBytes)
      end = std::max(end, endBytes(*buffer));
  return end;
}

// Which buffers, slots and kernel lines the body uses, so that only what is used is declared.
void CudaWriter::collectUses() {
  walk(launch_.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    forEachExpr(stmt, [&](const Expr *root) {
      walk(root, [&](const Expr *part) {
        if (const auto *var = llvm::dyn_cast<Var>(part))
          usedVars_.insert(var->id.value);
      });
    });
    for (const BufferAccess &access : accessesOf(*state_.context, stmt)) {
      accessed_.insert(access.buffer.value);
      if (op)
        accessedAsWords_.insert(access.buffer.value);
      if (stmt->span().isValid())
        accessLines_[access.buffer].push_back(stmt->span().line);
      std::optional<int64_t> slot = access.slot ? constantValue(access.slot) : std::nullopt;
      if (slot && !llvm::is_contained(constantSlots_[access.buffer], *slot))
        constantSlots_[access.buffer].push_back(*slot);
      if (access.slot && !slot)
        computedSlots_.insert(access.buffer.value);
      if (access.slot && isShared(buffer(access.buffer).scope))
        walk(access.slot, [&](const Expr *part) {
          if (const auto *var = llvm::dyn_cast<Var>(part))
            slotVars_.insert(var->id.value);
        });
    }
    return true;
  });
}

void CudaWriter::declareBuffers() {
  auto isPlaced = [](const Buffer &buffer) {
    return buffer.scope == Scope::Shared && (buffer.offsetBytes || isSizedAtLaunch(buffer));
  };
  bool hasArena =
      llvm::any_of(function_.buffers, [&](const Buffer *buffer) { return isPlaced(*buffer); });
  if (hasArena)
    line("extern __shared__ __align__(1024) unsigned char arena[];");
  std::vector<const Buffer *> shared;
  for (const Buffer *buffer : function_.buffers)
    if (isPlaced(*buffer) || buffer->scope == Scope::SharedStatic)
      shared.push_back(buffer);
  llvm::stable_sort(shared, [](const Buffer *a, const Buffer *b) {
    return a->offsetBytes.value_or(INT64_MAX) < b->offsetBytes.value_or(INT64_MAX);
  });
  for (const Buffer *buffer : shared)
    declareShared(*buffer);
  for (const Buffer *buffer : function_.buffers)
    if (isRegister(*buffer))
      declareRegisters(*buffer);
}

std::string CudaWriter::sharesText(const Buffer &buffer) {
  auto shareBytes = [](const Buffer &a, const Buffer &b) {
    if (a.launchRegion || b.launchRegion)
      return a.launchRegion == b.launchRegion;
    return a.offsetBytes && b.offsetBytes && *a.offsetBytes < endBytes(b) &&
           *b.offsetBytes < endBytes(a);
  };
  std::vector<std::string> others;
  for (const Buffer *other : function_.buffers)
    if (other != &buffer && shareBytes(buffer, *other))
      others.push_back(other->name.str());
  return others.empty() ? "bytes not shared" : "shares bytes with " + llvm::join(others, ", ");
}

std::string CudaWriter::accessLinesText(const Buffer &buffer) {
  const std::vector<uint32_t> &lines = accessLines_[buffer.id];
  if (lines.empty())
    return "";
  auto [first, last] = std::minmax_element(lines.begin(), lines.end());
  if (*first == *last)
    return llvm::formatv(", used at line {0}", *first);
  return llvm::formatv(", used at lines {0} to {1}", *first, *last);
}

// Shape, type and layout; byte ranges of all versions; who has the same bytes, and when it is used.
std::vector<std::string> CudaWriter::sharedComment(const Buffer &buffer) {
  std::vector<std::string> extents;
  for (const Expr *extent : buffer.shape)
    extents.push_back(index(extent));
  std::string head = buffer.name.str() + ": " + buffer.dtype.name() + "[" +
                     llvm::join(extents, ", ") + "], " +
                     (buffer.layout ? toString(*buffer.layout) : "row_major");
  if (buffer.scope == Scope::SharedStatic)
    return {head + ", static" + accessLinesText(buffer)};
  std::string versions =
      buffer.versions > 1 ? llvm::formatv(", {0} versions", buffer.versions).str() : "";
  if (!buffer.offsetBytes)
    return {head + versions + ", its size is known at launch",
            "  " + sharesText(buffer) + accessLinesText(buffer)};
  std::string ranges;
  for (int64_t version = 0; version < buffer.versions; ++version) {
    int64_t begin = *buffer.offsetBytes + version * *versionStrideBytes(buffer);
    ranges += llvm::formatv(" [{0}, {1})", begin, begin + *versionBytes(buffer));
  }
  return {head + versions + ", bytes" + ranges,
          "  " + sharesText(buffer) + accessLinesText(buffer)};
}

void CudaWriter::declareShared(const Buffer &buffer) {
  const std::string &name = bufferNames_[buffer.id];
  std::string unused = accessed_.contains(buffer.id.value) ? "" : "[[maybe_unused]] ";
  for (const std::string &comment : sharedComment(buffer))
    line("// " + comment);
  namedShared_.push_back(buffer.id);
  if (buffer.scope == Scope::SharedStatic) {
    int64_t elements =
        buffer.versions * *versionStrideBytes(buffer) * 8 / std::max<int>(buffer.dtype.bits, 8);
    line(llvm::formatv("{0}__shared__ alignas(128) {1} {2}[{3}];", unused, typeText(buffer), name,
                       std::max<int64_t>(elements, 1)));
  } else if (state_.options.aliases) {
    line(llvm::formatv("{0}{1} *const {2} = reinterpret_cast<{1} *>(arena + {3});", unused,
                       typeText(buffer), name, beginText(buffer)));
  }
  if (buffer.versions > 1 && (state_.options.aliases || buffer.scope == Scope::SharedStatic))
    declareConstantSlots(buffer);
}

std::string CudaWriter::beginText(const Buffer &buffer) {
  return index(arenaBegin(*state_.context, function_, buffer));
}

// Elements (bytes, of smaller types) from one version to the next.
std::string CudaWriter::slotElementsText(const Buffer &buffer) {
  Builder builder(*state_.context);
  int64_t unitBytes = std::max<int>(buffer.dtype.bits, 8) / 8;
  return index(builder.floorDiv(slotStride(*state_.context, buffer),
                                builder.integer(unitBytes, DType::int64())));
}

void CudaWriter::declareConstantSlots(const Buffer &buffer) {
  const std::string &name = bufferNames_[buffer.id];
  namedShared_.push_back(buffer.id);
  llvm::StringRef type = isSizedAtLaunch(buffer) ? "const i64" : "constexpr int";
  std::vector<int64_t> slots = constantSlots_[buffer.id];
  bool computesSlots = computedSlots_.contains(buffer.id.value);
  bool usesStride = computesSlots || llvm::any_of(slots, [](int64_t slot) { return slot != 0; });
  const std::string &stride = strideNames_[buffer.id] = names_.declare(name + "_slot");
  if (usesStride)
    line(llvm::formatv("{0} {1} = {2};", type, stride, slotElementsText(buffer)));
  llvm::sort(slots);
  for (int64_t slot : slots) {
    std::string slotName = names_.declare(llvm::formatv("{0}_v{1}", name, slot).str());
    slotNames_[{buffer.id, std::to_string(slot)}] = slotName;
    namedShared_.push_back(buffer.id);
    std::string offset = slot == 0 ? "" : llvm::formatv(" + {0} * {1}", slot, stride).str();
    line(llvm::formatv("{0} *const {1} = {2}{3};", typeText(buffer), slotName, name, offset));
  }
}

void CudaWriter::declareRegisters(const Buffer &buffer) {
  if (!accessed_.contains(buffer.id.value))
    return;
  const std::string &name = bufferNames_[buffer.id];
  if (buffer.scope == Scope::LocalVar) {
    line(llvm::formatv("{0} {1};", cudaValueType(buffer.dtype), name));
    return;
  }
  int64_t elements = buffer.dtype.bits < 8 ? *versionBytes(buffer) : storedElements(buffer);
  elements = std::max<int64_t>(elements * buffer.versions, 1);
  int64_t bytes = elements * std::max<int>(buffer.dtype.bits, 8) / 8;
  bool needsAlignment = accessedAsWords_.contains(buffer.id.value);
  std::string alignment = needsAlignment && bytes >= 4 ? "alignas(16) " : "";
  line(llvm::formatv("{0}{1} {2}[{3}];", alignment, typeText(buffer), name, elements));
}

// Declares a pointer for each slot that `stmts` choose with variables that are all in scope by now.
void CudaWriter::declareSlotPointers(llvm::ArrayRef<const Stmt *> stmts) {
  if (!state_.options.aliases)
    return;
  for (const Stmt *root : stmts)
    walk(root, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(*state_.context, stmt)) {
        const Buffer &accessedBuffer = buffer(access.buffer);
        if (!access.slot || constantValue(access.slot) || !isShared(accessedBuffer.scope) ||
            !inScope(access.slot))
          continue;
        std::string slot = index(access.slot);
        if (slotNames_.contains({access.buffer, slot}))
          continue;
        std::string name = slotPointerName(accessedBuffer, access.slot);
        slotNames_[{access.buffer, slot}] = name;
        namedShared_.push_back(access.buffer);
        line(llvm::formatv("{0} *const {1} = {2} + ({3}) * {4};", typeText(accessedBuffer), name,
                           bufferNames_[access.buffer], slot, strideNames_[access.buffer]));
      }
      return true;
    });
}

// "A_shared_ko" for slot ko % 3, "A_shared_ko2" for (ko + 2) % 3, else a numbered name.
std::string CudaWriter::slotPointerName(const Buffer &buffer, const Expr *slot) {
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
    return names_.declare(base + "_" + varNames_[var->id.value] + suffix);
  return names_.declare(base + "_s");
}

// The pointer to slot `slot` (null: the only one).
std::string CudaWriter::baseName(const Buffer &buffer, const Expr *slot) {
  if (isShared(buffer.scope))
    namedShared_.push_back(buffer.id);
  const std::string &name = bufferNames_[buffer.id];
  bool throughArena = buffer.scope == Scope::Shared && !state_.options.aliases;
  std::string slotText = slot ? index(slot) : "0";
  if (throughArena) {
    std::string offset = beginText(buffer);
    std::string stride = index(slotStride(*state_.context, buffer));
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

// Index arithmetic ignores the types of its operands: indices are mathematical integers.
const Expr *CudaWriter::indexBinary(BinaryOp op, const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> a = constantValue(lhs);
  std::optional<int64_t> b = constantValue(rhs);
  Context &context = *state_.context;
  if (a && b)
    return context.make<IntImm>(DType::int64(), op == BinaryOp::Add ? *a + *b : *a * *b);
  if (op == BinaryOp::Add && (a == 0 || b == 0))
    return a == 0 ? rhs : lhs;
  if (op == BinaryOp::Mul && (a == 1 || b == 1))
    return a == 1 ? rhs : lhs;
  if (op == BinaryOp::Mul && (a == 0 || b == 0))
    return context.make<IntImm>(DType::int32(), 0);
  return context.make<Binary>(op, lhs, rhs);
}

// Row major, or by explicit strides, or with padded rows.
const Expr *CudaWriter::linearIndex(const Buffer &buffer, ExprList indices) {
  const Expr *zero = state_.context->make<IntImm>(DType::int32(), 0);
  const Expr *linear = zero;
  if (!buffer.strides.empty()) {
    for (auto [coordinate, stride] : llvm::zip_equal(indices, buffer.strides))
      linear = indexBinary(BinaryOp::Add, linear, indexBinary(BinaryOp::Mul, coordinate, stride));
    return linear;
  }
  int64_t padding =
      buffer.layout && buffer.layout->kind == LayoutKind::RowMajor ? buffer.layout->padElements : 0;
  for (size_t dim = 0; dim < indices.size(); ++dim) {
    const Expr *extent = buffer.shape[dim];
    if (dim + 1 == indices.size() && padding)
      extent =
          indexBinary(BinaryOp::Add, extent, state_.context->make<IntImm>(DType::int32(), padding));
    linear = indexBinary(BinaryOp::Add, indexBinary(BinaryOp::Mul, linear, extent), indices[dim]);
  }
  return linear;
}

// The element's index as text; "0" for the first.
std::string CudaWriter::physicalIndex(const Buffer &buffer, ExprList indices) {
  if (buffer.layout && buffer.layout->kind == LayoutKind::Swizzle && !indices.empty())
    return swizzledIndex(buffer, indices);
  if (buffer.layout && buffer.layout->kind == LayoutKind::Permuted)
    return permutedIndex(buffer, indices);
  return index(linearIndex(buffer, indices));
}

std::string CudaWriter::swizzledIndex(const Buffer &buffer, ExprList indices) {
  std::string row = indices.size() > 1 ? index(indices[indices.size() - 2]) : "0";
  std::string place = swizzleFunction(buffer) + "(" + row + ", " + index(indices.back()) + ")";
  if (indices.size() <= 2)
    return place;
  // Leading coordinates count whole tiles.
  const Expr *tile = state_.context->make<IntImm>(DType::int32(), 0);
  for (size_t dim = 0; dim + 2 < indices.size(); ++dim)
    tile = indexBinary(BinaryOp::Add, indexBinary(BinaryOp::Mul, tile, buffer.shape[dim]),
                       indices[dim]);
  for (const Expr *extent : buffer.shape.take_back(2))
    tile = indexBinary(BinaryOp::Mul, tile, extent);
  std::string offset = index(tile);
  return offset == "0" ? place : offset + " + " + place;
}

// "A_shared_at(row, col)": the swizzle of one buffer under a name that tells the buffer.
std::string CudaWriter::swizzleFunction(const Buffer &buffer) {
  std::string &name = placeNames_[buffer.id];
  if (!name.empty())
    return name;
  name = state_.names.declare(buffer.name.str() + "_at");
  size_t rank = buffer.shape.size();
  std::string rows = rank > 1 ? index(buffer.shape[rank - 2]) : "1";
  std::string cols = index(buffer.shape.back());
  auto add = [&](std::string text) { indexHelpers_.push_back({std::move(text), {}, {}, {}}); };
  add(llvm::formatv("// Element (row, col) of {0}, {1} x {2} {3}, in {4}-byte swizzled rows.",
                    buffer.name, rows, cols, buffer.dtype.name(), buffer.layout->spanBytes));
  add("__device__ __forceinline__ int " + name + "(int row, int col) {");
  add(llvm::formatv("  return {0}<{1}, {2}, {3}, {4}>(row, col);", call(Helper::Swizzle),
                    buffer.layout->spanBytes, rows, cols, buffer.dtype.bits));
  add("}");
  add("");
  return name;
}

std::string CudaWriter::permutedIndex(const Buffer &buffer, ExprList indices) {
  std::vector<std::string> coordinates;
  for (const Expr *coordinate : indices)
    coordinates.push_back(index(coordinate));
  return permutationFunction(buffer) + "(" + llvm::join(coordinates, ", ") + ")";
}

// What one coordinate contributes to the place: "d1 / 8 * 512 + d1 % 8 * 4".
static std::string placeOfCoordinate(llvm::ArrayRef<Digit> digits, llvm::StringRef coordinate) {
  std::vector<std::string> parts;
  int64_t weight = 1;
  for (size_t i = digits.size(); i-- > 0; weight *= digits[i].extent) {
    std::string part = coordinate.str();
    if (weight != 1)
      part += llvm::formatv(" / {0}", weight);
    if (i != 0)
      part += llvm::formatv(" % {0}", digits[i].extent);
    if (digits[i].stride != 1)
      part += llvm::formatv(" * {0}", digits[i].stride);
    parts.insert(parts.begin(), part);
  }
  return llvm::join(parts, " + ");
}

// "dQ_at(d0, d1)": the memory order that the kernel gives a tensor.
std::string CudaWriter::permutationFunction(const Buffer &buffer) {
  std::string &name = placeNames_[buffer.id];
  if (!name.empty())
    return name;
  name = state_.names.declare(buffer.name.str() + "_at");
  std::vector<std::string> coordinates;
  std::vector<std::string> extents;
  std::vector<std::string> terms;
  int64_t elements = 1;
  for (auto [digits, extent] : llvm::zip_equal(buffer.layout->dims, buffer.shape)) {
    coordinates.push_back("d" + std::to_string(coordinates.size()));
    extents.push_back(index(extent));
    elements *= *constantValue(extent);
    if (std::string term = placeOfCoordinate(digits, coordinates.back()); !term.empty())
      terms.push_back(term);
  }
  std::string type = elements > INT32_MAX ? "u64" : "u32";
  auto add = [&](std::string text) { indexHelpers_.push_back({std::move(text), {}, {}, {}}); };
  add(llvm::formatv(
      "// Element ({0}) of {1}, {2} {3}, in the memory order that the kernel gives it.",
      llvm::join(coordinates, ", "), buffer.name, llvm::join(extents, " x "), buffer.dtype.name()));
  add(llvm::formatv("__device__ __forceinline__ {0} {1}({0} {2}) {{", type, name,
                    llvm::join(coordinates, ", " + type + " ")));
  add("  return " + (terms.empty() ? "0" : llvm::join(terms, " + ")) + ";");
  add("}");
  add("");
  return name;
}

static llvm::SmallVector<const Expr *> firstIndices(const BufferRegion &region) {
  llvm::SmallVector<const Expr *> indices;
  for (const Range &range : region.ranges)
    indices.push_back(range.min);
  return indices;
}

std::string CudaWriter::address(const BufferRegion &region) {
  const Buffer &target = buffer(region.buffer);
  std::string base = baseName(target, region.slot);
  if (target.scope == Scope::LocalVar)
    return "&" + base;
  std::string place = physicalIndex(target, firstIndices(region));
  if (target.dtype.bits < 8)
    place = "(" + place + ") / 2";
  return place == "0" ? base : "&" + base + "[" + place + "]";
}

std::string CudaWriter::element(BufferId id, const Expr *slot, ExprList indices) {
  const Buffer &source = buffer(id);
  std::string base = baseName(source, slot);
  if (source.scope == Scope::LocalVar)
    return base;
  std::string place = physicalIndex(source, indices);
  if (source.dtype.bits < 8) {
    Helper load = source.dtype.isFloat()      ? Helper::LoadF4
                  : source.dtype.isUnsigned() ? Helper::LoadU4
                                              : Helper::LoadI4;
    return call(load) + "(" + base + ", " + place + ")";
  }
  return base + "[" + place + "]";
}

std::string CudaWriter::element(const BufferRegion &region) {
  return element(region.buffer, region.slot, firstIndices(region));
}

// `place`: the element's index, which a single variable does not have.
std::string CudaWriter::assignment(const Buffer &target, const std::string &base,
                                   const std::string &place, const std::string &text) {
  bool isPacked = target.dtype.bits < 8;
  if (target.scope == Scope::LocalVar)
    return base + " = " + (isPacked ? inRange(target.dtype, text) : text) + ";";
  if (!isPacked)
    return base + "[" + place + "] = " + text + ";";
  std::string code = target.dtype.isFloat() ? call(Helper::EncodeF4) + "(" + text + ")" : text;
  return llvm::formatv("{0}({1}, {2}, {3});", call(Helper::Store4), base, place, code);
}

std::string CudaWriter::assignment(BufferId id, const Expr *slot, ExprList indices,
                                   const std::string &text) {
  const Buffer &target = buffer(id);
  std::string base = baseName(target, slot);
  bool isVariable = target.scope == Scope::LocalVar;
  return assignment(target, base, isVariable ? "" : physicalIndex(target, indices), text);
}

std::string CudaWriter::assignment(const BufferRegion &region, const std::string &text) {
  return assignment(region.buffer, region.slot, firstIndices(region), text);
}

} // namespace tilescope
