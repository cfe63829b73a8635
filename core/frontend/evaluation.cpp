#include "core/frontend/evaluation.h"

#include "core/frontend/exceptions.h"
#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// Errors of one kernel are worth reading up to here.
static constexpr unsigned MaxKernelErrors = 20;
static constexpr unsigned MaxCallNotes = 4;

Evaluation::Evaluation(Context &context, Diagnostics &diagnostics, const EvalLimits &limits,
                       const std::atomic<bool> *stop, std::string kernelPath)
    : context(context), ir(context), limits(limits), modules(std::move(kernelPath)),
      diagnostics_(&diagnostics), stop_(stop) {
  names.globals = &modules.kernelFile().scope;
}

Value Evaluation::failWith(DiagId id, Span span, std::string text) {
  lastDiagnostic_ = &diagnostics_->add(id, span, std::move(text));
  unsigned notes = 0;
  for (const Frame &frame : llvm::reverse(frames_)) {
    if (!frame.callSpan.isValid() || notes++ == MaxCallNotes)
      break;
    lastDiagnostic_->note(frame.callSpan, "in a call of '" + frame.name + "' from here");
  }
  if (severityOf(id) == Severity::Error)
    control.raised = exceptionOf(heap, id, lastDiagnostic_->text);
  if (diagnostics_->errorCount() >= MaxKernelErrors)
    isDead = true;
  return Value();
}

Value Evaluation::failOpaque(const OpaqueObject &opaque, Span span) {
  fail(DiagId::OpaqueUsed, span, opaque.path);
  if (opaque.importSpan.isValid())
    note(opaque.importSpan, "imported here");
  if (opaque.isUnfound)
    note(Span(), "no file of this name is in the kernel file's folder, around its package, or in "
                 "--python-path");
  return Value();
}

void Evaluation::failOutOfSteps() {
  failForGood(DiagId::EvalLimit, stepSpan_, "steps", limits.steps, "--max-steps");
}

void Evaluation::suggest(llvm::StringRef name, const std::vector<std::string> &names, Span span) {
  if (std::string near = nearestName(name, names); !near.empty())
    suggestName(name, near, "", span);
}

void Evaluation::suggestKeyword(llvm::StringRef name, const std::vector<std::string> &names,
                                Span value) {
  std::string near = nearestName(name, names);
  if (near.empty())
    return;
  Span before{value.file, value.line, 1, value.line, value.column};
  lastDiagnostic_->note(value, "did you mean '" + near + "'?",
                        DiagnosticFix{before, name.str(), near});
}

void Evaluation::suggestName(llvm::StringRef name, llvm::StringRef near, llvm::StringRef path,
                             Span span) {
  lastDiagnostic_->note(span, ("did you mean '" + path + near + "'?").str(),
                        DiagnosticFix{span, name.str(), near.str()});
}

Diagnostics &Evaluation::reportTo(Diagnostics &diagnostics) {
  return *std::exchange(diagnostics_, &diagnostics);
}

bool Evaluation::step(Span span) {
  if (isDead)
    return false;
  stepSpan_ = span;
  if (++steps_ > limits.steps)
    failOutOfSteps();
  else if (heap.bytes() > limits.memoryBytes)
    failForGood(DiagId::EvalLimit, span, "bytes of values", limits.memoryBytes, "--max-memory");
  else if (stop_ && *stop_)
    failForGood(DiagId::EvaluationStopped, span);
  return !isDead;
}

void Evaluation::spend(uint64_t elements) {
  steps_ += (unspent_ + elements) / 16;
  unspent_ = (unspent_ + elements) % 16;
}

bool Evaluation::chargeLength(uint64_t length, Span span) {
  if (length > limits.listLength) {
    failForGood(DiagId::EvalLimit, span, "elements in one value", limits.listLength,
                "--max-list-length");
    return false;
  }
  // Long values cost steps as if they were built element by element.
  steps_ += length / 16;
  heap.charge(length);
  return true;
}

KernelBuilder *Evaluation::requireLaunch(llvm::StringRef what, Span span) {
  if (kernel && kernel->launch())
    return kernel;
  fail(DiagId::OutsideKernel, span, what);
  return nullptr;
}

KernelBuilder *Evaluation::requireKernel(llvm::StringRef what, Span span) {
  if (!kernel)
    fail(DiagId::OutsideKernel, span, what);
  return kernel;
}

// Plain Python cannot branch on what only the device knows.
bool Evaluation::requireKernelCode(Span conditionSpan) {
  return isKernelCode() || failed(DiagId::ConditionUnknown, conditionSpan);
}

} // namespace tilescope::frontend
