#include "core/ir/views.h"

#include "core/ir/expr_equal.h"
#include "core/ir/strided_shapes.h"
#include "core/ir/view_bits.h"
#include "core/ir/view_index_bounds.h"
#include "core/ir/view_shapes.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

bool hasSameExtents(llvm::ArrayRef<Range> a, llvm::ArrayRef<Range> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip_equal(a, b), [](const auto &pair) {
           return isSameExpr(std::get<0>(pair).extent, std::get<1>(pair).extent);
         });
}

// The buffers that are one memory, the one that is no view first.
struct Family {
  llvm::SmallVector<const Buffer *> shapes;
  const Buffer *kept = nullptr; // whose shape and type all accesses get
};

class ViewResolver {
public:
  ViewResolver(Context &context, const Function &function, Diagnostics &diagnostics)
      : context_(context), ir_(context), function_(function), diagnostics_(diagnostics),
        bounds_(function.body) {}

  const Function *run() {
    unsigned before = diagnostics_.errorCount();
    for (const Buffer *buffer : function_.buffers)
      if (buffer->viewOf.isValid())
        addView(*buffer);
    if (diagnostics_.errorCount() != before)
      return nullptr;
    if (byBuffer_.empty() && rows_.empty())
      return &function_;
    for (auto &[base, family] : families_)
      choose(family);
    const Stmt *body =
        rewriteStmt(context_, function_.body, [&](const Stmt *stmt) { return rewrite(stmt); });
    if (diagnostics_.errorCount() != before)
      return nullptr;
    return withBuffers(context_, *withBody(context_, function_, body), table());
  }

private:
  void addView(const Buffer &view) {
    const Buffer *base = function_.findBuffer(view.viewOf);
    llvm::StringRef wrong =
        !base                                            ? "not declared"
        : base->viewOf.isValid()                         ? "a view itself"
        : !sharesBits(base->dtype, view.dtype)           ? "of another type"
        : base->scope != view.scope                      ? "in other memory"
        : !base->strides.empty() && view.strides.empty() ? "a tensor with strides"
        : !view.strides.empty() && !stridedMap(view, *base).isKnown()
            ? "a tensor whose rows have gaps, and along whose axes these strides do not lead"
            : "";
    if (!wrong.empty()) {
      diagnostics_.report(DiagId::UnknownView, view.span, view.name, view.viewOf.value, wrong);
      return;
    }
    if (!view.viewRow.empty()) {
      rows_[view.id.value] = &view;
      return;
    }
    Family &family = families_[base->id];
    if (family.shapes.empty())
      family.shapes.push_back(base);
    family.shapes.push_back(&view);
    byBuffer_[base->id.value] = byBuffer_[view.id.value] = base->id;
  }

  // Null: of no family.
  const Family *familyOf(BufferId buffer) const {
    auto found = byBuffer_.find(buffer.value);
    return found == byBuffer_.end() ? nullptr : &families_.at(found->second);
  }

  // Parts of an element of the wider type are one axis more.
  ShapeMap mapOf(BufferId from, const Family &family) {
    const Buffer &view = function_.buffer(from), &kept = *family.kept;
    return ShapeMap(ir_, shapeInParts(view, kept.dtype), shapeInParts(kept, view.dtype));
  }

  StridedMap stridedMap(const Buffer &view, const Buffer &kept) {
    return StridedMap(ir_, stridedInParts(view, kept.dtype), stridedInParts(kept, view.dtype));
  }

  StridedShape stridedInParts(const Buffer &buffer, DType part) {
    StridedShape given{shapeInParts(buffer, part), buffer.strides};
    if (given.strides.empty() || buffer.dtype.bits <= part.bits)
      return given;
    const Expr *parts = ir_.integer(buffer.dtype.bits / part.bits);
    llvm::SmallVector<const Expr *> strides;
    for (const Expr *stride : given.strides)
      strides.push_back(ir_.mul(stride, ir_.cast(stride->dtype(), parts)));
    strides.push_back(ir_.integer(1));
    given.strides = context_.copy<const Expr *>(strides);
    return given;
  }

  ExprList shapeInParts(const Buffer &buffer, DType part) {
    if (buffer.dtype.bits <= part.bits)
      return buffer.shape;
    llvm::SmallVector<const Expr *> shape(buffer.shape);
    shape.push_back(ir_.integer(buffer.dtype.bits / part.bits));
    return context_.copy<const Expr *>(shape);
  }

  // ---- Which shape ----

  // Memory of the kernel's own gets the narrowest type, whose elements can be written alone.
  bool mayKeep(const Family &family, const Buffer &shape) const {
    const Buffer &base = *family.shapes.front();
    bool keepsType = base.scope == Scope::Global || base.layoutPinned;
    DType narrowest = base.dtype;
    for (const Buffer *view : family.shapes)
      if (!keepsType && view->dtype.bits < narrowest.bits)
        narrowest = view->dtype;
    if (&shape == &base)
      return shape.dtype == narrowest;
    if (!shape.strides.empty() || !base.strides.empty())
      return false;
    std::optional<int64_t> count = elementCount(shape.shape), all = elementCount(base.shape);
    return shape.dtype == narrowest && !base.layoutPinned && count && all &&
           *count * shape.dtype.bits == *all * base.dtype.bits;
  }

  // The first of those that cost least.
  void choose(Family &family) {
    std::optional<int64_t> least;
    const Buffer *best = family.shapes.front();
    for (const Buffer *shape : family.shapes) {
      if (!mayKeep(family, *shape))
        continue;
      family.kept = shape;
      int64_t cost = costOf(family);
      if (least && cost >= *least)
        continue;
      least = cost;
      best = shape;
    }
    family.kept = best;
  }

  // Moves can be done element by element; what else has no box needs a tile of its own, and an
  // element that may lie outside of its view has no place at all.
  int64_t costOf(const Family &family) {
    int64_t cost = 0;
    walk(function_.body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context_, stmt)) {
        if (familyOf(access.buffer) != &family || access.buffer == family.kept->id)
          continue;
        const auto *op = llvm::dyn_cast<OpStmt>(stmt);
        if (!access.operand)
          cost += isShownInside(access.buffer, access.ranges, family) ? 0 : 10000;
        else if (!boxOf(*op, access.buffer, access.ranges, family))
          cost += isMove(*op) || isFill(*op) ? 1 : isProduct(*op) ? 1000 : 100;
      }
      return true;
    });
    return cost;
  }

  bool isShownInside(BufferId buffer, llvm::ArrayRef<Range> ranges, const Family &family) {
    const Buffer &shape = function_.buffer(buffer);
    auto inner = shape.strides.empty() ? mapOf(buffer, family).innerAxes()
                                       : stridedMap(shape, *family.kept).innerAxes();
    return llvm::all_of(inner, [&](size_t axis) {
      return axis == ranges.size() || bounds_.isInside(ranges[axis], shape.shape[axis]);
    });
  }

  std::optional<llvm::SmallVector<Range>>
  boxOf(const OpStmt &op, BufferId buffer, llvm::ArrayRef<Range> ranges, const Family &family) {
    const Buffer &view = function_.buffer(buffer);
    if (view.dtype != family.kept->dtype || !isShownInside(buffer, ranges, family))
      return std::nullopt;
    if (!view.strides.empty())
      return stridedMap(view, *family.kept).box(ranges);
    // Which axes elements lie on means nothing to what gives all the same value, little to a move,
    // and much to what names an axis or wants a matrix.
    bool anyAxes = op.regions.size() == 1 && op.operand(0).effect == Effect::Write;
    std::optional<llvm::SmallVector<Range>> box = mapOf(buffer, family).box(ranges, anyAxes);
    if (box && !anyAxes && !isMove(op) && !hasSameExtents(*box, ranges))
      return std::nullopt;
    return box;
  }

  // Stands in loops, where its accumulator should stay where it is.
  static bool isProduct(const OpStmt &op) { return op.opInfo().work == OpWork::MatrixMultiply; }

  static bool isFill(const OpStmt &op) { return op.opInfo().work == OpWork::Fill; }

  static bool isMove(const OpStmt &op) {
    return op.opInfo().work == OpWork::Move && op.regions.size() == 2 && op.args.empty();
  }

  // ---- Rewriting ----

  const Stmt *rewrite(const Stmt *stmt) {
    span_ = stmt->span();
    stmt = mapExprs(context_, stmt, [&](const Expr *expr) {
      return rewriteExpr(context_, expr, [&](const Expr *node) {
        const auto *load = llvm::dyn_cast<Load>(node);
        return load && isOfView(load->buffer) ? loadOf(load->buffer, load->indices) : node;
      });
    });
    if (const auto *store = llvm::dyn_cast<Store>(stmt); store && isOfView(store->buffer))
      return storeOf(store->info(), store->buffer, store->indices, store->value);
    if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
      return rewriteOp(*withoutRows(*op));
    return stmt;
  }

  bool isOfView(BufferId buffer) const {
    return familyOf(buffer) || rows_.count(buffer.value) != 0;
  }

  // Of an element of a row the buffer that has the row, and its place there.
  llvm::SmallVector<const Expr *> withoutRow(BufferId &buffer, ExprList indices) const {
    llvm::SmallVector<const Expr *> whole;
    if (const Buffer *view = rows_.lookup(buffer.value)) {
      llvm::append_range(whole, view->viewRow);
      buffer = view->viewOf;
    }
    llvm::append_range(whole, indices);
    return whole;
  }

  const OpStmt *withoutRows(const OpStmt &op) {
    llvm::SmallVector<BufferRegion> regions(op.regions);
    bool isChanged = false;
    for (BufferRegion &region : regions) {
      const Buffer *view = rows_.lookup(region.buffer.value);
      if (!view)
        continue;
      llvm::SmallVector<Range> ranges;
      for (const Expr *index : view->viewRow)
        ranges.push_back({index, ir_.integer(1, index->dtype())});
      llvm::append_range(ranges, region.ranges);
      region.buffer = view->viewOf;
      region.ranges = context_.copy<Range>(ranges);
      isChanged = true;
    }
    return isChanged ? context_.make<OpStmt>(op.info(), op.op, context_.copy<BufferRegion>(regions),
                                             op.args, op.attrs)
                     : &op;
  }

  // Where the elements of the kept type are that hold this one; the last index of one that holds
  // several is left out, and says which of them this is.
  struct Place {
    llvm::SmallVector<llvm::SmallVector<const Expr *>> parts;
    const Expr *part = nullptr; // null: the whole element
  };

  Place placeOf(BufferId buffer, ExprList indices, const Family &family) {
    const Buffer &view = function_.buffer(buffer);
    llvm::SmallVector<Range> ranges;
    for (const Expr *index : indices)
      ranges.push_back({index, ir_.integer(1, index->dtype())});
    if (!isShownInside(buffer, ranges, family))
      diagnostics_.report(DiagId::ViewIndexUnknown, span_, view.name, family.shapes.front()->name);
    Place place;
    int64_t bits = family.kept->dtype.bits;
    for (int64_t part = 0; part < std::max<int64_t>(view.dtype.bits / bits, 1); ++part) {
      llvm::SmallVector<const Expr *> element(indices);
      if (view.dtype.bits > bits)
        element.push_back(ir_.integer(part));
      place.parts.push_back(view.strides.empty() ? mapOf(buffer, family).element(element)
                                                 : stridedMap(view, *family.kept).element(element));
    }
    if (view.dtype.bits < bits)
      place.part = place.parts.front().pop_back_val();
    return place;
  }

  // Of what is in no family, the element itself.
  const Expr *loadOf(BufferId buffer, ExprList given) {
    llvm::SmallVector<const Expr *> indices = withoutRow(buffer, given);
    const Family *family = familyOf(buffer);
    const Buffer &view = bufferOf(buffer);
    if (!family)
      return ir_.load(view, nullptr, indices);
    Place place = placeOf(buffer, indices, *family);
    llvm::SmallVector<const Expr *> parts;
    for (ExprList part : place.parts)
      parts.push_back(
          context_.make<Load>(family->kept->dtype, idOf(*family), nullptr, context_.copy(part)));
    if (place.part)
      return partOfBits(ir_, bitsOf(ir_, parts.front()), place.part, view.dtype);
    return parts.size() == 1 ? ir_.reinterpret(view.dtype, parts.front())
                             : joinParts(ir_, parts, view.dtype);
  }

  const Stmt *storeOf(const StmtInfo &info, BufferId buffer, ExprList given, const Expr *value) {
    llvm::SmallVector<const Expr *> indices = withoutRow(buffer, given);
    value = ir_.cast(bufferOf(buffer).dtype, value);
    const Family *family = familyOf(buffer);
    if (!family)
      return context_.make<Store>(info, buffer, nullptr, context_.copy<const Expr *>(indices),
                                  value);
    Place place = placeOf(buffer, indices, *family);
    if (place.part)
      diagnostics_.report(DiagId::ViewNarrowWrite, info.span, function_.buffer(buffer).name,
                          family->shapes.front()->name);
    if (place.parts.size() > 1)
      return storeParts(info, *family, place, value);
    return context_.make<Store>(info, idOf(*family), nullptr,
                                context_.copy<const Expr *>(place.parts.front()),
                                place.part ? value : ir_.reinterpret(family->kept->dtype, value));
  }

  // The value may read what the first part is written to.
  const Stmt *storeParts(const StmtInfo &info, const Family &family, const Place &place,
                         const Expr *value) {
    const Expr *bits = bitsOf(ir_, value);
    const Var *named = ir_.var("bits", bits->dtype());
    llvm::SmallVector<const Stmt *> stmts = {
        context_.make<Bind>(ir_.fresh(info.span), named, bits)};
    for (auto [index, part] : llvm::enumerate(place.parts))
      stmts.push_back(context_.make<Store>(
          index == 0 ? info : ir_.fresh(info.span), idOf(family), nullptr,
          context_.copy<const Expr *>(part),
          partOfBits(ir_, named, ir_.integer(static_cast<int64_t>(index)), family.kept->dtype)));
    return ir_.seq(ir_.fresh(info.span), stmts);
  }

  const Stmt *rewriteOp(const OpStmt &op) {
    llvm::SmallVector<BufferRegion> regions(op.regions);
    llvm::SmallVector<size_t> boxless;
    for (auto [operand, region] : llvm::enumerate(regions)) {
      const Family *family = familyOf(region.buffer);
      if (!family)
        continue;
      if (auto box = boxOf(op, region.buffer, region.ranges, *family)) {
        region.buffer = idOf(*family);
        region.ranges = context_.copy<Range>(*box);
      } else if (isAtomicOnBits(op, operand, *family)) {
        region.ranges = elementOf(op, region, *family);
        region.buffer = idOf(*family);
      } else {
        boxless.push_back(operand);
      }
    }
    if (!boxless.empty() && isMove(op))
      return moveElements(op, op.info(), op.regions[0], op.regions[1]);
    if (!boxless.empty() && isFill(op))
      return storeElements(op, op.info(), op.regions[0], [&](auto) { return op.args[0]; });
    llvm::SmallVector<const Stmt *> before, after;
    for (size_t operand : boxless)
      if (!stage(op, operand, regions[operand], before, after))
        return &op;
    before.push_back(context_.make<OpStmt>(op.info(), op.op, context_.copy<BufferRegion>(regions),
                                           op.args, op.attrs));
    before.append(after);
    return before.size() == 1 ? before.front() : ir_.seq(ir_.fresh(op.span()), before);
  }

  // An atomic operation of a thread takes an element for one of another type of as many bits.
  bool isAtomicOnBits(const OpStmt &op, size_t operand, const Family &family) {
    const BufferRegion &region = op.regions[operand];
    return op.operand(operand).isAtomic && op.opInfo().scope == OpScope::Thread &&
           function_.buffer(region.buffer).dtype.bits == family.kept->dtype.bits &&
           llvm::all_of(region.ranges,
                        [](const Range &range) { return constantValue(range.extent) == 1; });
  }

  llvm::ArrayRef<Range> elementOf(const OpStmt &op, const BufferRegion &region,
                                  const Family &family) {
    span_ = op.span();
    llvm::SmallVector<Range> ranges;
    Place place = placeOf(region.buffer, pointOf(region, {}), family);
    for (const Expr *index : place.parts.front())
      ranges.push_back({index, ir_.integer(1, index->dtype())});
    return context_.copy<Range>(ranges);
  }

  // The operand becomes a fragment of its own, which gets the elements before and gives them after.
  bool stage(const OpStmt &op, size_t operand, BufferRegion &region,
             llvm::SmallVectorImpl<const Stmt *> &before,
             llvm::SmallVectorImpl<const Stmt *> &after) {
    const Buffer &view = function_.buffer(region.buffer);
    if (view.scope != Scope::Fragment) {
      diagnostics_.report(DiagId::ViewNoBox, op.span(), view.name, familyOf(view.id)->kept->name);
      return false;
    }
    BufferRegion own = region;
    own.buffer = tileOf(view).id;
    Effect effect = op.operand(operand).effect;
    if (effect != Effect::Write)
      before.push_back(moveElements(op, ir_.fresh(op.span()), region, own));
    if (effect != Effect::Read)
      after.push_back(moveElements(op, ir_.fresh(op.span()), own, region));
    region = own;
    return true;
  }

  const Buffer &tileOf(const Buffer &view) {
    for (const Buffer *tile : tiles_)
      if (tile->origin == view.id)
        return *tile;
    Buffer tile = view;
    tile.id = context_.nextBufferId();
    tile.origin = view.id;
    tile.viewOf = BufferId();
    // The name of a view is free: no access is left of it.
    if (!view.viewOf.isValid()) {
      tile.name = context_.intern((view.name + "_tile").str());
      tile.role = "tile";
    }
    tiles_.push_back(context_.make<Buffer>(tile));
    return *tiles_.back();
  }

  const Stmt *moveElements(const OpStmt &op, const StmtInfo &info, const BufferRegion &source,
                           const BufferRegion &destination) {
    return storeElements(op, info, destination, [&](llvm::ArrayRef<const Var *> vars) {
      return loadOf(source.buffer, pointOf(source, vars));
    });
  }

  // Variables over the wide axes of the destination say which element a value is for.
  const Stmt *storeElements(const OpStmt &op, const StmtInfo &info, const BufferRegion &destination,
                            llvm::function_ref<const Expr *(llvm::ArrayRef<const Var *>)> valueAt) {
    llvm::SmallVector<const Var *> vars;
    llvm::SmallVector<const Expr *> extents;
    for (const Range &range : destination.ranges)
      if (constantValue(range.extent) != 1) {
        vars.push_back(ir_.var("i", range.extent->dtype()));
        extents.push_back(range.extent);
        bounds_.learn(vars.back(), nullptr, range.extent);
      }
    span_ = op.span();
    const Expr *value = valueAt(vars);
    const Stmt *store =
        storeOf(ir_.fresh(op.span()), destination.buffer, pointOf(destination, vars), value);
    if (vars.empty())
      return store;
    int64_t width = op.opInfo().has(Attr::CoalescedWidth) ? op.attr(Attr::CoalescedWidth) : 0;
    return context_.make<Parallel>(info, context_.copy<const Var *>(vars),
                                   context_.copy<const Expr *>(extents), store, width);
  }

  // Where the variables of the wide axes are in a region.
  llvm::SmallVector<const Expr *> pointOf(const BufferRegion &region,
                                          llvm::ArrayRef<const Var *> vars) {
    llvm::SmallVector<const Expr *> point;
    for (const Range &range : region.ranges) {
      point.push_back(range.min);
      if (constantValue(range.extent) == 1 || vars.empty())
        continue;
      DType dtype = range.min->dtype().bits > vars.front()->dtype().bits ? range.min->dtype()
                                                                         : vars.front()->dtype();
      point.back() = ir_.add(ir_.cast(dtype, range.min), ir_.cast(dtype, vars.front()));
      vars = vars.drop_front();
    }
    return point;
  }

  // ---- Declarations ----

  BufferId idOf(const Family &family) const { return family.shapes.front()->id; }

  const Buffer &bufferOf(BufferId id) const {
    for (const Buffer *tile : tiles_)
      if (tile->id == id)
        return *tile;
    return function_.buffer(id);
  }

  std::vector<const Buffer *> table() {
    std::vector<const Buffer *> buffers;
    for (const Buffer *buffer : function_.buffers) {
      const Family *family = familyOf(buffer->id);
      if ((family && buffer->id != idOf(*family)) || rows_.count(buffer->id.value) != 0)
        continue;
      if (family && family->kept != buffer) {
        Buffer reshaped = *buffer;
        reshaped.shape = family->kept->shape;
        reshaped.dtype = family->kept->dtype;
        buffer = context_.make<Buffer>(reshaped);
      }
      buffers.push_back(buffer);
    }
    buffers.insert(buffers.end(), tiles_.begin(), tiles_.end());
    return buffers;
  }

  Context &context_;
  Builder ir_;
  const Function &function_;
  Diagnostics &diagnostics_;
  ViewIndexBounds bounds_;
  Span span_;                           // of the statement that is rewritten
  std::map<BufferId, Family> families_; // by the buffer that is no view
  llvm::DenseMap<uint32_t, BufferId> byBuffer_;
  llvm::DenseMap<uint32_t, const Buffer *> rows_; // views that are rows of their buffer
  std::vector<const Buffer *> tiles_;             // of operands that have no box
};

} // namespace

const Function *resolveViews(Context &context, const Function &function, Diagnostics &diagnostics) {
  return ViewResolver(context, function, diagnostics).run();
}

} // namespace tilescope
