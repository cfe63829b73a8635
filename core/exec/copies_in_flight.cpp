#include "core/exec/copies_in_flight.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilescope {

void CopiesInFlight::start(int64_t threads) {
  threads_.assign(static_cast<size_t>(threads), {});
  last_ = nullptr;
}

llvm::MutableArrayRef<CopiesInFlight::Thread> CopiesInFlight::chosen(int64_t thread) {
  llvm::MutableArrayRef<Thread> all(threads_);
  return thread < 0 ? all : all.slice(static_cast<size_t>(thread), 1);
}

CopiesInFlight::Batch &CopiesInFlight::openBatch(int64_t thread) {
  if (last_ && lastThread_ == thread)
    return *last_;
  last_ = std::make_shared<Batch>();
  lastThread_ = thread;
  for (Thread &taker : chosen(thread)) {
    taker.open.push_back(last_);
    ++last_->waiting;
  }
  return *last_;
}

void CopiesInFlight::add(int64_t thread, const Element &element) {
  openBatch(thread).elements.push_back(element);
}

void CopiesInFlight::commit(int64_t thread) {
  last_ = nullptr;
  for (Thread &committer : chosen(thread))
    committer.committed.push_back(std::exchange(committer.open, {}));
}

void CopiesInFlight::wait(int64_t thread, int64_t pending, Visit arrive) {
  for (Thread &waiter : chosen(thread))
    for (auto &groups = waiter.committed; static_cast<int64_t>(groups.size()) > pending;
         groups.erase(groups.begin()))
      for (const std::shared_ptr<Batch> &batch : groups.front())
        if (--batch->waiting == 0)
          llvm::for_each(batch->elements, arrive);
}

void CopiesInFlight::forEachLeft(Visit visit) const {
  llvm::SmallPtrSet<const Batch *, 8> seen;
  auto visitGroup = [&](const Group &group) {
    for (const std::shared_ptr<Batch> &batch : group)
      if (seen.insert(batch.get()).second)
        llvm::for_each(batch->elements, visit);
  };
  for (const Thread &thread : threads_) {
    llvm::for_each(thread.committed, visitGroup);
    visitGroup(thread.open);
  }
}

} // namespace tilescope
