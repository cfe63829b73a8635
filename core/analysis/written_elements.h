// Which elements of what is not global memory have been written at a place of a launch: on every
// path to it, and on some.
//
//                                  surely   perhaps
//     T.fill(x[0:32], 0)           [0, 32)  [0, 32)
//     if n > 4: T.fill(x, 0)       [0, 32)  all
#pragma once

#include "core/analysis/element_set.h"
#include "core/analysis/lane_frame.h"

namespace tilescope {

struct Written {
  ElementSet surely;
  ElementSet perhaps; // on some path; no path writes an element that is not in it

  friend bool operator==(const Written &, const Written &) = default;
};

class WrittenElements {
public:
  // Of all buffers, by index: what a walk keeps and puts back.
  using State = std::vector<Written>;

  WrittenElements(Context &context, const Function &function, const Launch &launch);

  // Nothing: of global memory.
  std::optional<size_t> indexOf(BufferId id) const;
  const Buffer &buffer(size_t index) const { return *followed_[index].buffer; }
  bool isPrivate(size_t index) const { return followed_[index].hasThreadAxis; }

  State &state() { return state_; }
  // 64-bit words that a copy of the state takes.
  int64_t words() const;
  const Written &operator[](size_t index) const { return state_[index]; }
  // What holds on either of two paths.
  void join(const State &other);
  // In a T.Parallel a lane sees what was written before it, and of the rest only its own.
  void enterNest() { outside_ = state_; }
  void leaveNest() { outside_.reset(); }
  const ElementSet &seen(size_t index) const;

  // Returns whether it is known which elements all lanes together name.
  bool write(size_t index, llvm::ArrayRef<Range> ranges, LaneFrame &frame, bool isSure);

  // What a read of the ranges finds, where `seen` was written.
  struct Reading {
    bool isCovered = false;   // all was
    bool isUnwritten = false; // certainly some was not: not even perhaps
    llvm::SmallVector<int64_t> element;
  };
  Reading read(size_t index, llvm::ArrayRef<Range> ranges, LaneFrame &frame,
               const ElementSet &seen) const;

  bool writes(const Stmt *stmt, size_t index);
  // Whether all that the statement touches is written.
  bool isSettled(const Stmt *stmt);

private:
  struct Followed {
    const Buffer *buffer = nullptr;
    llvm::SmallVector<int64_t> shape; // of what is private to a thread, the threads first
    bool hasThreadAxis = false;
    bool isKnown = false; // the shape is, and small enough for sets
  };
  struct Touched {
    llvm::SmallVector<size_t, 4> buffers;
    llvm::SmallVector<size_t, 4> written;
  };

  void follow(const Buffer &buffer, int64_t threads);
  const Touched &touchedBy(const Stmt *stmt);

  Context &context_;
  std::vector<Followed> followed_;
  llvm::DenseMap<uint32_t, size_t> indices_; // by buffer
  llvm::DenseMap<const Stmt *, Touched> touched_;
  int64_t elementsOfAll_ = 0;
  State state_;
  std::optional<State> outside_; // of the nest
};

} // namespace tilescope
