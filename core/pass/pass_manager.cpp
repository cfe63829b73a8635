#include "core/pass/pass_manager.h"

#include "core/check/verify_memory.h"
#include "core/ir/verifier.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>

namespace tilescope {

namespace {

// Hands remarks to every observer.
class RemarkFanOut : public RemarkSink {
public:
  explicit RemarkFanOut(llvm::ArrayRef<PassObserver *> observers) : observers_(observers) {}
  bool wanted() const override { return !observers_.empty(); }
  void take(Remark remark) override {
    for (PassObserver *observer : observers_)
      observer->remark(remark);
  }

private:
  llvm::ArrayRef<PassObserver *> observers_;
};

bool hasRequiredProperties(const Module &module, const PassInfo &info, Diagnostics &diagnostics) {
  for (const Function *function : module.functions) {
    for (unsigned bit = 0; bit <= static_cast<unsigned>(Property::BarriersFinal); ++bit) {
      auto property = static_cast<Property>(bit);
      if (!info.required.has(property) || function->properties.has(property))
        continue;
      diagnostics.report(DiagId::MissingProperty, function->span, info.name, function->name,
                         nameOf(property));
      return false;
    }
  }
  return true;
}

class PipelineRun {
public:
  PipelineRun(Context &context, const Target &target, Diagnostics &diagnostics,
              llvm::ArrayRef<PassObserver *> observers, const PassManagerOptions &options,
              const StopToken *stop)
      : observers_(observers), options_(options), remarks_(observers), diagnostics_(diagnostics),
        context_{context, target, diagnostics, remarks_, stop, options.plan} {}

  const Module *run(const Module &module, llvm::MutableArrayRef<PassInstance> pipeline) {
    for (PassObserver *observer : observers_)
      observer->beforePipeline(module);
    const Module *current = &module;
    for (PassInstance &instance : pipeline) {
      const Module *next = runOne(*current, instance, /*depth=*/0);
      if (!next)
        break;
      current = next;
    }
    bool succeeded = !diagnostics_.hasErrors();
    for (PassObserver *observer : llvm::reverse(observers_))
      observer->afterPipeline(*current, succeeded);
    return succeeded ? current : nullptr;
  }

private:
  // The module after the pass; null if the pipeline cannot go on.
  const Module *runOne(const Module &before, PassInstance &instance, int depth) {
    PassExecution execution{depth, instance.name, instance.options, 0};
    if (instance.info)
      execution.results = instance.info->results;
    if (reportStop(execution)) {
      failedOn_ = &before;
      return nullptr;
    }
    for (PassObserver *observer : observers_)
      observer->beforePass(execution, before);
    bool isGroup = !instance.info;
    const Module *after =
        isGroup ? runGroup(before, instance, execution) : transform(before, instance, execution);
    // Each pass of a group has been checked.
    bool isSound = after && (isGroup || check(*after, execution));
    if (!isSound) {
      // A group failed where its pass did.
      if (!isGroup)
        failedOn_ = after ? after : &before;
      for (PassObserver *observer : llvm::reverse(observers_))
        observer->passFailed(execution, *failedOn_, diagnostics_);
      return nullptr;
    }
    for (PassObserver *observer : llvm::reverse(observers_))
      observer->afterPass(execution, *after, after != &before);
    return after;
  }

  bool isStopped() const { return context_.stop && *context_.stop; }

  bool reportStop(const PassExecution &execution) {
    if (isStopped())
      diagnostics_.report(DiagId::CompileStopped, Span(), execution.name);
    return isStopped();
  }

  const Module *runGroup(const Module &before, PassInstance &group, PassExecution &execution) {
    const Module *current = &before;
    int64_t spentBefore = spentMicroseconds_, madeBefore = madeIrBytes_;
    for (PassInstance &instance : group.nested) {
      const Module *next = runOne(*current, instance, execution.depth + 1);
      if (!next)
        return nullptr;
      current = next;
    }
    execution.wallMicroseconds = spentMicroseconds_ - spentBefore;
    execution.irBytes = madeIrBytes_ - madeBefore;
    return current;
  }

  // Clock and bytes are innermost: they are of the pass, not of who watches.
  const Module *transform(const Module &before, PassInstance &instance, PassExecution &execution) {
    if (!hasRequiredProperties(before, *instance.info, diagnostics_))
      return nullptr;
    unsigned errorsBefore = diagnostics_.errorCount();
    size_t bytesBefore = context_.context.allocatedBytes();
    auto start = std::chrono::steady_clock::now();
    const Module *after = instance.pass->run(before, context_);
    execution.wallMicroseconds = std::chrono::duration_cast<std::chrono::microseconds>(
                                     std::chrono::steady_clock::now() - start)
                                     .count();
    execution.irBytes = static_cast<int64_t>(context_.context.allocatedBytes() - bytesBefore);
    spentMicroseconds_ += execution.wallMicroseconds;
    madeIrBytes_ += execution.irBytes;
    // What a pass made that was told to stop may be half done.
    if (reportStop(execution))
      return nullptr;
    if (diagnostics_.errorCount() != errorsBefore)
      return nullptr;
    if (!after)
      diagnostics_.report(DiagId::PassGaveUp, Span(), execution.name);
    return after;
  }

  bool check(const Module &module, const PassExecution &execution) {
    unsigned errorsBefore = diagnostics_.errorCount();
    hazards_ = HazardVerdict::Free;
    if (verifyModule(module, diagnostics_))
      for (const Function *function : module.functions)
        checkMemory(*function);
    if (diagnostics_.errorCount() == errorsBefore)
      return !reportStop(execution);
    diagnostics_.report(DiagId::PassBrokeIr, Span(), execution.name);
    return false;
  }

  // In every build and on every compile: silent wrong code is the one thing we never emit.
  void checkMemory(const Function &function) {
    auto stop = [this] { return isStopped(); };
    if (stop())
      return;
    if (function.properties.has(Property::ArenaPlanned))
      verifyArena(context_.context, function, diagnostics_, stop);
    if (!function.properties.has(Property::BarriersFinal))
      return;
    if (hasWarnedOfHazards_) {
      hazards_ = HazardVerdict::Found;
      return;
    }
    HazardSeverity severity =
        options_.allowHazards ? HazardSeverity::Warning : HazardSeverity::Error;
    hazards_ =
        std::max(hazards_, verifyHazards(context_.context, function, diagnostics_, severity, stop));
    hasWarnedOfHazards_ = hazards_ == HazardVerdict::Found && options_.allowHazards;
  }

  llvm::ArrayRef<PassObserver *> observers_;
  PassManagerOptions options_;
  RemarkFanOut remarks_;
  Diagnostics &diagnostics_;
  PassContext context_;
  bool hasWarnedOfHazards_ = false;
  HazardVerdict hazards_ = HazardVerdict::Free; // of the module that was checked last
  int64_t spentMicroseconds_ = 0;               // in passes, so far
  int64_t madeIrBytes_ = 0;
  const Module *failedOn_ = nullptr;
};

} // namespace

const Module *runPipeline(const Module &module, llvm::MutableArrayRef<PassInstance> pipeline,
                          Context &context, const Target &target, Diagnostics &diagnostics,
                          llvm::ArrayRef<PassObserver *> observers,
                          const PassManagerOptions &options, const StopToken *stop) {
  return PipelineRun(context, target, diagnostics, observers, options, stop).run(module, pipeline);
}

} // namespace tilescope
