// Asynchronous copies of one block while the reference runs it: which have been waited for.
//
// Threads commit and wait each for itself. A copy that they do together is the work of all of them,
// whoever copies which element: it has arrived when each has waited for its group.
#pragma once

#include "core/exec/tensor.h"
#include "core/exec/tile_shadow.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace tilescope {

class CopiesInFlight {
public:
  struct Element {
    Tensor *tensor = nullptr;
    TileShadow *shadow = nullptr; // null: of a tensor in global memory
    int64_t place = 0;
    Number value;
    const Stmt *copy = nullptr;
  };
  using Visit = llvm::function_ref<void(const Element &)>;

  // Forgets all copies. Threads that are told apart.
  void start(int64_t threads);
  // `thread` negative: all threads together.
  void add(int64_t thread, const Element &element);
  void commit(int64_t thread);
  // Until no more groups than `pending` are left. Visits what has arrived.
  void wait(int64_t thread, int64_t pending, Visit arrive);
  // What has not arrived.
  void forEachLeft(Visit visit) const;

private:
  // Of one thread, or of all, between two commits of any.
  struct Batch {
    std::vector<Element> elements;
    int64_t waiting = 0; // threads that have it in a group
  };
  using Group = std::vector<std::shared_ptr<Batch>>;
  struct Thread {
    Group open;
    std::vector<Group> committed; // the oldest first
  };

  llvm::MutableArrayRef<Thread> chosen(int64_t thread);
  Batch &openBatch(int64_t thread);

  std::vector<Thread> threads_;
  std::shared_ptr<Batch> last_; // that elements of lastThread_ may join; null: none
  int64_t lastThread_ = 0;
};

} // namespace tilescope
