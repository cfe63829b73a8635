#include "core/analysis/written_elements.h"

#include "core/analysis/first_touch.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Of a buffer that is looked at element by element: all of shared memory in bytes, the registers of
// 1,024 threads. Of all of them together: states are copied at every branch.
constexpr int64_t MaxFollowedElements = 1 << 18;
constexpr int64_t MaxElementsOfAll = 1 << 22;

void addNew(llvm::SmallVector<size_t, 4> &list, size_t index) {
  if (!llvm::is_contained(list, index))
    list.push_back(index);
}

} // namespace

WrittenElements::WrittenElements(Context &context, const Function &function, const Launch &launch)
    : context_(context) {
  for (const Buffer *buffer : function.buffers)
    if (buffer->scope != Scope::Global)
      follow(*buffer, launch.threads);
}

void WrittenElements::follow(const Buffer &buffer, int64_t threads) {
  Followed made{&buffer, {}, buffer.scope == Scope::Local || buffer.scope == Scope::LocalVar};
  std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
  if (made.hasThreadAxis)
    made.shape.push_back(threads);
  llvm::append_range(made.shape, shape.value_or(llvm::SmallVector<int64_t>()));
  made.isKnown = shape.has_value();
  int64_t elements = 1;
  for (int64_t extent : made.shape) {
    made.isKnown = made.isKnown && extent > 0 && extent <= MaxFollowedElements / elements;
    elements *= made.isKnown ? extent : 1;
  }
  elementsOfAll_ += elements;
  made.isKnown = made.isKnown && elementsOfAll_ <= MaxElementsOfAll;
  indices_[buffer.id.value] = followed_.size();
  state_.push_back({ElementSet(elements), ElementSet(elements)});
  followed_.push_back(std::move(made));
}

std::optional<size_t> WrittenElements::indexOf(BufferId id) const {
  auto found = indices_.find(id.value);
  return found == indices_.end() ? std::nullopt : std::optional(found->second);
}

void WrittenElements::join(const State &other) {
  for (auto [here, there] : llvm::zip_equal(state_, other)) {
    here.surely.intersect(there.surely);
    here.perhaps.unite(there.perhaps);
  }
}

const ElementSet &WrittenElements::seen(size_t index) const {
  return outside_ ? (*outside_)[index].surely : state_[index].surely;
}

bool WrittenElements::write(size_t index, llvm::ArrayRef<Range> ranges, LaneFrame &frame,
                            bool isSure) {
  Written &written = state_[index];
  if (written.surely.isAll())
    return true;
  const Followed &followed = followed_[index];
  if (!followed.isKnown) {
    bool isWhole = coversWhole(ranges, *followed.buffer);
    if (isSure && isWhole)
      written.surely.addAll();
    written.perhaps.addAll();
    return isWhole;
  }
  ElementBoxes boxes = frame.boxesOf(followed.shape, followed.hasThreadAxis, ranges);
  int64_t first = 0, last = 0; // lanes side by side are one run
  auto flush = [&] {
    written.perhaps.add(first, last);
    if (isSure && boxes.isExact)
      written.surely.add(first, last);
  };
  frame.forEachBox(boxes, followed.shape, [&](auto origin, auto extents) {
    if (frame.isSpent())
      return;
    forEachRun(followed.shape, origin, extents, [&](int64_t begin, int64_t end) {
      if (begin != last) {
        flush();
        first = begin;
      }
      last = end;
      frame.spend(1 + (end - begin) / 64);
    });
  });
  flush();
  if (frame.isSpent())
    written.perhaps.addAll();
  written.perhaps.normalise();
  written.surely.normalise();
  return boxes.isExact && !frame.isSpent();
}

WrittenElements::Reading WrittenElements::read(size_t index, llvm::ArrayRef<Range> ranges,
                                               LaneFrame &frame, const ElementSet &seen) const {
  const Followed &followed = followed_[index];
  const ElementSet &perhaps = state_[index].perhaps;
  if (seen.isAll())
    return {true, false, {}};
  if (!followed.isKnown)
    return {false, perhaps.isEmpty(), {}};
  ElementBoxes boxes = frame.boxesOf(followed.shape, followed.hasThreadAxis, ranges);
  std::optional<int64_t> unseen, unwritten;
  bool findsSome = false;
  frame.forEachBox(boxes, followed.shape, [&](auto first, auto extents) {
    if (frame.isSpent())
      return;
    forEachRun(followed.shape, first, extents, [&](int64_t begin, int64_t end) {
      frame.spend(1 + (end - begin) / 64);
      unseen = unseen ? unseen : seen.firstMissing(begin, end);
      unwritten = unwritten ? unwritten : perhaps.firstMissing(begin, end);
      findsSome |= perhaps.firstPresent(begin, end).has_value();
    });
  });
  if (frame.isSpent())
    return {};
  bool isMet = boxes.isExact || (!findsSome && !boxes.mayBeEmpty);
  Reading reading{!unseen, unwritten && isMet, {}};
  if (std::optional<int64_t> named = reading.isUnwritten ? unwritten : unseen)
    reading.element = coordinatesOf(*named, followed.shape);
  if (followed.hasThreadAxis && !reading.element.empty())
    reading.element.erase(reading.element.begin());
  return reading;
}

int64_t WrittenElements::words() const {
  int64_t words = 0;
  for (const Written &written : state_)
    words += written.surely.words() + written.perhaps.words();
  return words;
}

bool WrittenElements::writes(const Stmt *stmt, size_t index) {
  return llvm::is_contained(touchedBy(stmt).written, index);
}

bool WrittenElements::isSettled(const Stmt *stmt) {
  return llvm::all_of(touchedBy(stmt).buffers, [&](size_t index) { return seen(index).isAll(); });
}

const WrittenElements::Touched &WrittenElements::touchedBy(const Stmt *stmt) {
  auto found = touched_.find(stmt);
  if (found != touched_.end())
    return found->second;
  Touched made;
  for (const BufferAccess &access : accessesOf(context_, stmt))
    if (std::optional<size_t> index = indexOf(access.buffer)) {
      addNew(made.buffers, *index);
      if (access.effect != Effect::Read)
        addNew(made.written, *index);
    }
  forEachChild(stmt, [&](const Stmt *child) {
    const Touched &inside = touchedBy(child);
    for (size_t index : inside.buffers)
      addNew(made.buffers, index);
    for (size_t index : inside.written)
      addNew(made.written, index);
  });
  return touched_[stmt] = std::move(made);
}

} // namespace tilescope
