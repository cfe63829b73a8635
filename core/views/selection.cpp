#include "core/views/selection.h"

namespace tilescope {

namespace {

constexpr size_t MaxPlaces = 1000;

} // namespace

void Selection::selectPass(size_t index) {
  if (index == chosenPass())
    return;
  awaited_.reset();
  remember({index, pinned});
}

void Selection::pin(Pick pick) {
  pinsBuffer_ |= pick.buffer.has_value();
  if (pick == pinned)
    return;
  remember({chosenPass(), std::move(pick)});
}

void Selection::choose(const LoopMoment &wanted, StmtId stmt, KernelLine line) {
  moment = wanted;
  pinned.stmt = stmt;
  pinned.sourceLine = line;
}

void Selection::chooseStep(int64_t wanted, StmtId stmt, KernelLine line) {
  step = wanted;
  pinned.stmt = stmt;
  pinned.sourceLine = line;
}

void Selection::back() {
  if (canGoBack())
    visit(position_ - 1);
}

void Selection::forward() {
  if (canGoForward())
    visit(position_ + 1);
}

void Selection::remember(Place place) {
  if (history_.empty())
    history_.push_back({chosenPass(), pinned});
  history_.resize(position_ + 1);
  history_.push_back(std::move(place));
  if (history_.size() > MaxPlaces)
    history_.erase(history_.begin());
  visit(history_.size() - 1);
}

void Selection::visit(size_t position) {
  position_ = position;
  chosenPass() = history_[position].pass;
  pinned = history_[position].pinned;
}

} // namespace tilescope
