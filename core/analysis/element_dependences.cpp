#include "core/analysis/element_dependences.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

bool isRegister(const Buffer &buffer) {
  return buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar;
}

// Of buffers with an offset in the arena.
bool overlapInArena(const Buffer &a, const Buffer &b) {
  auto endsBefore = [](const Buffer &first, const Buffer &second) {
    std::optional<int64_t> bytes = versionBytes(first);
    return bytes && *first.offsetBytes + *bytes * first.versions <= *second.offsetBytes;
  };
  return !endsBefore(a, b) && !endsBefore(b, a);
}

// What both sums are multiples of, but for their constants; 0 if both are constants.
int64_t commonFactor(Affine a, Affine b) {
  int64_t factor = 0;
  for (Affine value : {a, b})
    for (const AffineTerm &term : value.sum->terms)
      factor = std::gcd(factor, term.coefficient);
  return factor;
}

} // namespace

ElementDependences::ElementDependences(IrAffine &affine, const Function &function, const For &loop)
    : affine_(affine), context_(affine.context()), function_(function), loop_(loop),
      extent_(*constantValue(loop.extent)) {
  collect(loop.body, {});
}

ElementDependences::Access ElementDependences::accessOf(const Stmt *stmt, const Load &load) {
  Access access{stmt, &load, load.buffer, {}, accesses_.size()};
  if (load.slot)
    access.coordinates.push_back(substitute(context_, load.slot, bound_));
  for (const Expr *index : load.indices)
    access.coordinates.push_back(substitute(context_, index, bound_));
  return access;
}

void ElementDependences::collectReads(const Stmt *stmt, std::vector<Access> &into) {
  forEachExpr(stmt, [&](const Expr *root) {
    walk(root, [&](const Expr *node) {
      if (const auto *load = llvm::dyn_cast<Load>(node))
        into.push_back(accessOf(stmt, *load));
    });
  });
}

// The position of an access is the number of those collected before its statement; so reads of one
// statement share one, and its write comes after them.
void ElementDependences::collect(const Stmt *stmt, llvm::ArrayRef<Access> conditions) {
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt)) {
    for (const Stmt *child : seq->stmts)
      collect(child, conditions);
    return;
  }
  std::vector<Access> reads;
  collectReads(stmt, reads);
  llvm::append_range(accesses_, reads);
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
    bound_[bind->var] = substitute(context_, bind->value, bound_);
  } else if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
    for (const Access &condition : conditions)
      repeated_.push_back({condition, accesses_.size()});
    Access write{stmt, nullptr, store->buffer, {}, accesses_.size()};
    if (store->slot)
      write.coordinates.push_back(substitute(context_, store->slot, bound_));
    for (const Expr *index : store->indices)
      write.coordinates.push_back(substitute(context_, index, bound_));
    accesses_.push_back(std::move(write));
  } else {
    const auto *branch = llvm::cast<If>(stmt);
    llvm::append_range(reads, conditions);
    collect(branch->thenBody, reads);
    if (branch->elseBody)
      collect(branch->elseBody, reads);
  }
}

const Stmt *ElementDependences::obstacle(const Stmt &reader, const Load &load, MovedTo to) {
  const auto *access = llvm::find_if(llvm::ArrayRef(accesses_), [&](const Access &known) {
    return known.stmt == &reader && known.load == &load;
  });
  return obstacle(*access, to);
}

const Stmt *ElementDependences::obstacle(const Store &store, MovedTo to) {
  const auto *access = llvm::find_if(llvm::ArrayRef(accesses_), [&](const Access &known) {
    return known.stmt == &store && known.writes();
  });
  return obstacle(*access, to);
}

const Stmt *ElementDependences::obstacle(const Access &access, MovedTo to) {
  for (const Access &other : accesses_) {
    if (&other == &access || !(access.writes() || other.writes()))
      continue;
    bool isLater = other.position > access.position;
    auto isOvertaken = [&](int64_t own, int64_t others) {
      bool comesLater = others > own || (others == own && isLater);
      return to == MovedTo::Front ? !comesLater : comesLater;
    };
    if (mayMeet(access, other, isOvertaken))
      return other.stmt;
  }
  return nullptr;
}

const Load *ElementDependences::findStoredLoad(const Expr *expr) {
  const Load *found = nullptr;
  auto isAny = [](int64_t /*own*/, int64_t /*others*/) { return true; };
  walk(substitute(context_, expr, bound_), [&](const Expr *node) {
    const auto *load = llvm::dyn_cast<Load>(node);
    if (!load || found)
      return;
    Access access = accessOf(nullptr, *load);
    if (llvm::any_of(accesses_, [&](const Access &other) {
          return other.writes() && mayMeet(access, other, isAny);
        }))
      found = load;
  });
  return found;
}

const Load *ElementDependences::findUnrepeatableLoad() {
  auto isSameIteration = [](int64_t own, int64_t others) { return own == others; };
  for (const RepeatedRead &read : repeated_)
    for (const Access &other : accesses_)
      if (other.writes() && other.position > read.condition.position &&
          other.position < read.position && mayMeet(read.condition, other, isSameIteration))
        return read.condition.load;
  return nullptr;
}

bool ElementDependences::mayMeet(const Access &a, const Access &b,
                                 llvm::function_ref<bool(int64_t, int64_t)> isAsked) {
  if (!mayShareStorage(a.buffer, b.buffer))
    return false;
  const Buffer &buffer = function_.buffer(a.buffer);
  bool isComparable = a.buffer == b.buffer && buffer.strides.empty();
  bool isOneThread = isRegister(buffer) && isStable(a) && isStable(b);
  std::vector<Element> elementsOfA = elementsOf(a);
  std::vector<Element> elementsOfB = elementsOf(b);
  auto areApart = [&](int64_t i, int64_t j) {
    return isComparable &&
           llvm::any_of(llvm::zip_equal(elementsOfA[i], elementsOfB[j]), [&](auto pair) {
             return areDistinct(std::get<0>(pair), std::get<1>(pair), isOneThread);
           });
  };
  for (int64_t i = 0; i < extent_; ++i)
    for (int64_t j = 0; j < extent_; ++j)
      if (isAsked(i, j) && !areApart(i, j))
        return true;
  return false;
}

// By iteration.
std::vector<ElementDependences::Element> ElementDependences::elementsOf(const Access &access) {
  Builder builder(context_);
  int64_t first = *constantValue(loop_.min);
  std::vector<Element> elements(extent_);
  for (int64_t iteration = 0; iteration < extent_; ++iteration) {
    Substitution inIteration;
    inIteration[loop_.var] = builder.integer(first + iteration, loop_.var->dtype());
    for (const Expr *coordinate : access.coordinates) {
      Affine value = affine_.convert(substitute(context_, coordinate, inIteration));
      elements[iteration].push_back(
          affine_.arithmetic().simplify(affine_.expandBinds(value), affine_.ranges()));
    }
  }
  return elements;
}

bool ElementDependences::mayShareStorage(BufferId idOfA, BufferId idOfB) const {
  if (idOfA == idOfB)
    return true;
  const Buffer &a = function_.buffer(idOfA);
  const Buffer &b = function_.buffer(idOfB);
  if (a.scope != Scope::Shared || b.scope != Scope::Shared)
    return false;
  if (a.launchRegion || b.launchRegion)
    return a.launchRegion == b.launchRegion;
  return a.offsetBytes && b.offsetBytes && overlapInArena(a, b);
}

bool ElementDependences::areDistinct(Affine a, Affine b, bool isOneThread) {
  if (!a.isKnown() || !b.isKnown())
    return false;
  int64_t apart = a.sum->constant - b.sum->constant;
  int64_t factor = commonFactor(a, b);
  if (factor == 0 ? apart != 0 : apart % factor != 0)
    return true;
  AffineContext &arithmetic = affine_.arithmetic();
  AffineBounds boundsOfA = arithmetic.bounds(a, affine_.ranges());
  AffineBounds boundsOfB = arithmetic.bounds(b, affine_.ranges());
  auto isBelow = [](const AffineBounds &low, const AffineBounds &high) {
    return low.upper && high.lower && *low.upper < *high.lower;
  };
  if (isBelow(boundsOfA, boundsOfB) || isBelow(boundsOfB, boundsOfA))
    return true;
  AffineBounds difference =
      isOneThread ? arithmetic.bounds(arithmetic.subtract(a, b), affine_.ranges()) : AffineBounds();
  return (difference.lower && *difference.lower > 0) || (difference.upper && *difference.upper < 0);
}

// Whether loads in its coordinates give the same wherever they stand in the loop.
bool ElementDependences::isStable(const Access &access) const {
  return llvm::all_of(access.coordinates,
                      [&](const Expr *coordinate) { return affine_.isStable(coordinate); });
}

} // namespace tilescope
