#include "cli/verify_each.h"

#include "cli/command.h"
#include "cli/exec_report.h"

namespace tilescope {

VerifyEachOption::VerifyEachOption(llvm::cl::OptionCategory &category)
    : verifyEach_(
          "verify-each", llvm::cl::desc("What is done after every pass besides its checks"),
          llvm::cl::ValueOptional, llvm::cl::init(VerifyEach::Checks),
          llvm::cl::values(clEnumValN(VerifyEach::Checks, "", "the same as checks"),
                           clEnumValN(VerifyEach::Checks, "checks",
                                      "nothing: they follow every pass in any case (default)"),
                           clEnumValN(VerifyEach::Exec, "exec",
                                      "run it on the CPU, as 'tilescope exec --every-pass' does")),
          llvm::cl::cat(category)),
      problem_(category) {}

llvm::Error VerifyEachOption::check() const { return problem_.given().takeError(); }

int VerifyEachOption::verify(const CompileResult &compiled, const Stages &stages) const {
  if (verifyEach_ == VerifyEach::Checks)
    return Fine;
  llvm::Expected<ProblemOptions> inputs = problem_.given();
  if (!inputs)
    return report(inputs.takeError());
  Problem problem;
  if (llvm::Error error = makeProblem(problem, compiled, *inputs))
    return report(std::move(error));
  printChosen(problem);
  llvm::Expected<std::vector<StageResult>> results =
      executeStages(stages.all(), problem,
                    {.seed = inputs->seed, .isEveryPass = true, .target = compiled.target});
  if (!results)
    return report(results.takeError());
  const StageResult &last = results->back();
  if (last.isRight())
    return Fine;
  printStage(compiled, last, llvm::errs());
  return last.refusal.empty() ? Findings : Trouble;
}

} // namespace tilescope
