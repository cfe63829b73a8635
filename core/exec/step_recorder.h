// Makes the steps of a block (core/access/block_steps.h) while it is run.
#pragma once

#include "core/access/block_steps.h"
#include "core/exec/shadow.h"
#include "core/ir/module.h"

#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>

namespace tilescope {

// A loop around a statement, and the value of its variable.
struct LoopValue {
  const For *loop = nullptr;
  int64_t value = 0;
};

class StepRecorder {
public:
  // `about`: of which block of a function.
  StepRecorder(const Function &function, BlockSteps about);

  // A group of threads comes to a statement: what is touched from now on it does. The outermost
  // loop is the first.
  void begin(const Stmt &stmt, llvm::SmallVector<LoopValue> loops);
  void touch(StepTouch::Kind kind, BufferId buffer, int64_t slot, UnitRange bytes);
  // The block has ended.
  BlockSteps take();

private:
  // Through which slot of a buffer, and how.
  struct Way {
    StepTouch::Kind kind;
    BufferId buffer;
    int64_t slot;
    friend auto operator<=>(const Way &, const Way &) = default;
  };
  using Ranges = std::vector<UnitRange>;
  struct Step {
    std::vector<int64_t> place; // the statement and the values of its loops
    std::map<Way, Ranges> touched;
  };

  void flush();
  std::optional<size_t> currentStep();
  int64_t statementIndex();
  void addTouches(Step &step);
  static size_t merge(Ranges &into, Ranges more);

  const Function &function_;
  BlockSteps result_;
  const Stmt *stmt_ = nullptr; // that is done now
  llvm::SmallVector<LoopValue> loops_;
  std::map<Way, Ranges> touched_;                  // by it
  std::map<uint32_t, int64_t> statements_;         // by id, into result_.statements
  std::map<std::vector<int64_t>, size_t> numbers_; // of steps, by place
  std::map<StepTouch, int64_t> touches_;           // into result_.touches
  std::map<BufferId, size_t> buffers_;             // into result_.buffers
  std::vector<Step> steps_;
  size_t rangeCount_ = 0;
};

} // namespace tilescope
