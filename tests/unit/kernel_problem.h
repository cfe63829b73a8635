// A kernel given as IR text and run by the reference, on inputs as `run` makes them.
#pragma once

#include "core/exec/output_verdict.h"
#include "ir_text.h"

namespace tilescope {

class KernelProblem {
public:
  explicit KernelProblem(const std::string &text, const ProblemOptions &options = {}) {
    module_ = parseIr(context_, text);
    llvm::Error error = makeProblem(problem_, *module_->functions.front(), options);
    failure_ = llvm::toString(std::move(error));
  }

  const Function &function() const { return *module_->functions.front(); }
  const Problem &problem() const { return problem_; }
  // Why there is no problem; "" if there is one.
  const std::string &failure() const { return failure_; }

  BufferId idOf(llvm::StringRef name) const {
    for (const Buffer *buffer : function().buffers)
      if (buffer->name == name)
        return buffer->id;
    return BufferId();
  }
  const Tensor &input(llvm::StringRef name) const { return problem_.memory.tensors.at(idOf(name)); }

  // Runs the reference; "" or what it said.
  std::string run() {
    llvm::Expected<Expectation> made = expect(problem_, /*seed=*/0);
    if (!made)
      return llvm::toString(made.takeError());
    expected_ = std::move(*made);
    return expected_.refusal;
  }
  const Expectation &expected() const { return expected_; }
  const Tensor &output(llvm::StringRef name) const { return expected_.tensors.at(idOf(name)); }

private:
  Context context_;
  const Module *module_;
  Problem problem_;
  Expectation expected_;
  std::string failure_;
};

} // namespace tilescope
