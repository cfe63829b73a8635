// What is known of the elements of the tiles of a block while the reference runs it, and what is
// wrong with an access of them. The rules are those for threads (core/exec/thread_group.h):
//
//   shared memory    who reads must find what somebody has written, and no copy in flight
//   registers        what nobody wrote may go into registers again, and leaves those as if nobody
//                    had written them; it is a finding where it goes elsewhere:
//
//     acc[i] = acc[i] * scale[i]        no finding: acc stays unwritten
//     if acc[i] > 0                     a finding
//     S[i] = acc[i]                     a finding, S being shared memory
#pragma once

#include "core/exec/shadow.h"
#include "core/ir/module.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace tilescope {

// Of one copy of a buffer: a slot, or a thread's own.
class TileShadow {
public:
  TileShadow(const Buffer &buffer, int64_t elements);

private:
  friend class TileReads;
  const Buffer *buffer_;
  std::optional<Shadow> memory_;   // shared
  std::vector<uint8_t> isWritten_; // registers
};

// The accesses of one block, and variables that hold what they gave.
class TileReads {
public:
  // Who they are by, from now on. `thread`: negative for all threads together.
  void startBlock(int64_t block);
  void setThread(int64_t thread) { thread_ = thread; }
  void setStatement(const Stmt &stmt);

  // `shadow` null: a tensor, of which all elements have values.
  void read(TileShadow *shadow, int64_t element) {
    if (!shadow)
      return;
    if (shadow->memory_)
      readMemory(*shadow, element);
    else if (!shadow->isWritten_[static_cast<size_t>(element)])
      unwritten_ = shadow->buffer_->name;
  }
  void readVar(const Var &var) {
    if (!unwrittenVars_.empty() && isUnwritten(var))
      unwritten_ = var.name;
  }
  // Takes what has been read into an element. Of memory that must have been written.
  void write(TileShadow *shadow, int64_t element) {
    if (!shadow || shadow->memory_)
      return writeMemory(shadow, element);
    shadow->isWritten_[static_cast<size_t>(element)] = unwritten_.empty();
    unwritten_ = {};
  }
  void beginCopy(TileShadow &shadow, int64_t element);
  void endCopy(TileShadow &shadow, int64_t element, const Stmt &copy);
  // An element that the copy has not brought when the block ends.
  void leaveInFlight(const TileShadow &shadow, const Stmt &copy) {
    leaveInFlight(*shadow.buffer_, copy);
  }
  void leaveInFlight(const Buffer &buffer, const Stmt &copy);
  // Takes what has been read for what decides something, or leaves registers.
  void use() {
    if (!unwritten_.empty())
      reportUnwritten();
  }

  // What has been read so far, of an expression that is not evaluated to its end: the name of
  // registers that nobody wrote, or nothing.
  llvm::StringRef take() { return std::exchange(unwritten_, {}); }
  void putBack(llvm::StringRef unwritten) { unwritten_ = unwritten; }

  // Takes what has been read into a variable, of all threads or of the one that is set.
  void bind(const Var &var);
  // Each of the threads has one of its own; `unwritten`: those whose value nobody wrote.
  void bindEach(const Var &var, const llvm::BitVector &unwritten);

  Findings &findings() { return findings_; }

private:
  bool isUnwritten(const Var &var) const;
  void readMemory(TileShadow &shadow, int64_t element);
  void writeMemory(TileShadow *shadow, int64_t element);
  Actor actor(const TileShadow &shadow) const { return {block_, 0, {}, stmt_, shadow.buffer_->id}; }
  void report(const std::optional<Shadow::Conflict> &conflict, const TileShadow &shadow);
  void reportUnwritten();

  int64_t block_ = 0;
  int64_t thread_ = 0;
  const Stmt *stmt_ = nullptr;
  llvm::StringRef unwritten_; // of what has been read since the last value was taken
  // By variable, the threads whose value nobody wrote; one bit: all of them.
  llvm::DenseMap<uint32_t, llvm::BitVector> unwrittenVars_;
  Findings findings_;
};

} // namespace tilescope
