#include "core/driver/verify_reads.h"

#include "core/access/uninitialised_reads.h"
#include "core/analysis/ir_affine.h"
#include "core/analysis/statement_accesses.h"
#include "core/analysis/uninitialised_elements.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// From the body of a function down to a statement.
using StmtPath = llvm::SmallVector<const Stmt *, 8>;

bool findPath(const Stmt *at, const Stmt *wanted, StmtPath &path) {
  path.push_back(at);
  bool isFound = at == wanted;
  forEachChild(at, [&](const Stmt *child) { isFound = isFound || findPath(child, wanted, path); });
  if (!isFound)
    path.pop_back();
  return isFound;
}

bool isDead(IrAffine &affine, llvm::ArrayRef<const Stmt *> path) {
  if (path.size() < 2)
    return false;
  if (neverRuns(affine, path[0], path[1]))
    return true;
  ScopedFacts facts(affine, path[0], path[1]);
  return isDead(affine, path.drop_front());
}

// Roles run at the same time: which of them stands first says nothing of what is written first.
bool isWrittenByAnotherRole(Context &context, const Function &function, const Buffer &buffer,
                            const Stmt *read) {
  StmtPath path;
  if (!isShared(buffer.scope) || !findPath(function.body, read, path))
    return false;
  const auto *own = llvm::find_if(path, [](const Stmt *stmt) { return llvm::isa<Role>(stmt); });
  bool isFound = false;
  walk(function.body, [&](const Stmt *stmt) {
    if (own == path.end() || stmt == *own)
      return false;
    const auto *role = llvm::dyn_cast<Role>(stmt);
    if (!role)
      return !isFound;
    walk(role, [&](const Stmt *inside) {
      isFound |= llvm::any_of(accessesOf(context, inside), [&](const BufferAccess &access) {
        return access.buffer == buffer.id && access.effect != Effect::Read;
      });
      return !isFound;
    });
    return false;
  });
  return isFound;
}

class ReadReport {
public:
  ReadReport(Context &context, const Function &function, const Buffer &buffer, const Stmt *read)
      : buffer_(buffer), read_(read) {
    walk(function.body, [&](const Stmt *stmt) {
      for (const BufferAccess &access : accessesOf(context, stmt))
        if (access.buffer == buffer.id)
          collect(stmt, access);
      return true;
    });
  }

  // Nothing has been written to the buffer.
  void report(const StmtPath &path, Diagnostics &diagnostics) const {
    Diagnostic &made = diagnostics.report(DiagId::UninitialisedRead, readSpan_, buffer_.name.str());
    std::string name = "'" + buffer_.name.str() + "'";
    llvm::StringRef unwritten = firstWrite_ ? "" : ", and nothing writes to it";
    made.note(buffer_.span, name + " is allocated here" + unwritten.str());
    if (readWrites_) {
      const Stmt *place = placeOfFirstValue(path);
      made.note(place->span(), advice() + (llvm::isa<For>(place) ? " before this loop"
                                                                 : " before this statement"));
    } else if (firstWrite_) {
      made.note(firstWrite_->span(), "this writes to " + name + ", after it has been read");
    }
  }

  // Something has, or may have.
  void report(const UninitialisedElement &found, Diagnostics &diagnostics) const {
    DiagId id = found.isCertain ? DiagId::UninitialisedElement : DiagId::InitialisedNotEstablished;
    std::string element = elementText(found.element);
    Diagnostic &made = diagnostics.report(id, readSpan_, element);
    made.note(buffer_.span, "'" + buffer_.name.str() + "' is allocated here");
    if (writeBefore_)
      made.note(writeBefore_->span(),
                found.isCertain ? "this writes to other elements, or does not run before"
                                : "this writes to it, perhaps not always or not to all of it");
  }

private:
  void collect(const Stmt *stmt, const BufferAccess &access) {
    touching_.push_back(stmt);
    isReached_ |= stmt == read_;
    bool isWrite = access.effect != Effect::Read;
    if (stmt == read_ && !readSpan_.isValid() && access.effect != Effect::Write)
      readSpan_ = access.span;
    if (stmt == read_ && access.effect == Effect::ReadWrite)
      accumulator_ = access.operand;
    readWrites_ |= isWrite && stmt == read_;
    if (isWrite && !firstWrite_)
      firstWrite_ = stmt;
    if (isWrite && (!isReached_ || !writeBefore_))
      writeBefore_ = stmt;
  }

  // "'c[32, 0]'", or the name alone.
  std::string elementText(llvm::ArrayRef<int64_t> element) const {
    std::string text = buffer_.name.str();
    if (!element.empty())
      text +=
          "[" +
          llvm::join(llvm::map_range(element, [](int64_t i) { return std::to_string(i); }), ", ") +
          "]";
    return text;
  }

  // The value is used outside of the loop that gathers it.
  const Stmt *placeOfFirstValue(const StmtPath &path) const {
    const Stmt *place = read_;
    for (const Stmt *stmt : llvm::reverse(path))
      if (llvm::isa<For>(stmt) && (place == read_ || !holdsAll(stmt)))
        place = stmt;
    return place;
  }

  bool holdsAll(const Stmt *loop) const {
    llvm::DenseSet<const Stmt *> inside;
    walk(loop, [&](const Stmt *stmt) { return inside.insert(stmt).second; });
    return llvm::all_of(touching_, [&](const Stmt *stmt) { return inside.contains(stmt); });
  }

  std::string advice() const {
    std::string name = buffer_.name.str();
    if (accumulator_ && accumulator_->clearedByArg)
      return "add T.clear(" + name + ")";
    if (accumulator_ && accumulator_->clearedByAttr)
      return "leave out " + nameOf(*accumulator_->clearedByAttr).str() + "=False, or fill '" +
             name + "'";
    return "give '" + name + "' a value";
  }

  const Buffer &buffer_;
  const Stmt *read_;
  Span readSpan_;
  const OperandInfo *accumulator_ = nullptr; // of the reading statement
  bool readWrites_ = false;                  // the reading statement writes the buffer too
  const Stmt *firstWrite_ = nullptr;
  // The last before the reading statement, or else the first after it.
  const Stmt *writeBefore_ = nullptr;
  bool isReached_ = false; // by the walk: the reading statement
  llvm::SmallVector<const Stmt *> touching_;
};

// Buffers that were never written when they are first read.
bool verifyBuffers(Context &context, const Function &function, Diagnostics &diagnostics,
                   llvm::DenseSet<uint32_t> &reported) {
  AccessTree tree = computeStatementAccesses(function);
  std::vector<UninitialisedRead> found = computeUninitialisedReads(tree.program);
  if (found.empty())
    return true;
  IrAffine affine(context, function);
  for (const UninitialisedRead &read : found) {
    const Stmt *stmt = tree.sources[read.node].first;
    StmtPath path;
    if (reported.contains(read.buffer.value) || !findPath(function.body, stmt, path) ||
        isDead(affine, path))
      continue;
    const Buffer &buffer = function.buffer(read.buffer);
    if (isWrittenByAnotherRole(context, function, buffer, stmt))
      continue;
    reported.insert(read.buffer.value);
    ReadReport(context, function, buffer, stmt).report(path, diagnostics);
  }
  return reported.empty();
}

// Elements that were not, or that were not shown to be. What is certain comes first.
bool verifyElements(Context &context, const Function &function, Diagnostics &diagnostics,
                    llvm::DenseSet<uint32_t> &reported) {
  bool isFine = true;
  std::vector<UninitialisedElement> found = computeUninitialisedElements(context, function);
  llvm::stable_sort(found, [](const UninitialisedElement &a, const UninitialisedElement &b) {
    return a.isCertain > b.isCertain;
  });
  for (UninitialisedElement &one : found) {
    if (!reported.insert(one.buffer.value).second)
      continue;
    const Buffer &buffer = function.buffer(one.buffer);
    one.isCertain &= !isWrittenByAnotherRole(context, function, buffer, one.stmt);
    ReadReport(context, function, buffer, one.stmt).report(one, diagnostics);
    isFine &= !one.isCertain;
  }
  return isFine;
}

} // namespace

bool verifyReads(Context &context, const Function &function, Diagnostics &diagnostics) {
  llvm::DenseSet<uint32_t> reported;
  bool isFine = verifyBuffers(context, function, diagnostics, reported);
  return verifyElements(context, function, diagnostics, reported) && isFine;
}

} // namespace tilescope
