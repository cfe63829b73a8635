// What one evaluation of a kernel file carries along: where errors go, what may still be spent, the
// values, the names, and the kernel that is being built.
//
// The functions of the evaluator take it by reference; each idea has a header of its own
// (README.md). Those that return a `Value` return the invalid one after reporting an error, those
// that return bool return false, those that return a pointer null.
#pragma once

#include "core/frontend/control_flow.h"
#include "core/frontend/expr_sizes.h"
#include "core/frontend/kernel_builder.h"
#include "core/frontend/scope.h"
#include "core/frontend/signature.h"
#include "core/frontend/source_modules.h"
#include "core/frontend/value.h"
#include "core/support/diagnostics.h"
#include "core/target/target.h"

#include "llvm/Support/Compiler.h"

#include <atomic>

namespace tilescope::frontend {

class Evaluation {
public:
  // `kernelPath` is the file that is evaluated; `stop`, which may be null, ends the evaluation when
  // it turns true.
  Evaluation(Context &context, Diagnostics &diagnostics, const EvalLimits &limits,
             const std::atomic<bool> *stop, std::string kernelPath);

  // --- errors ---
  // Reports, with the calls that led here as notes. Never inlined: what it takes of the native
  // stack would be taken by every level of nested evaluation.
  template <typename... Args>
  LLVM_ATTRIBUTE_NOINLINE Value fail(DiagId id, Span span, Args &&...args) {
    return failWith(id, span, llvm::formatv(textOf(id), std::forward<Args>(args)...).str());
  }
  template <typename... Args> bool failed(DiagId id, Span span, Args &&...args) {
    fail(id, span, std::forward<Args>(args)...);
    return false;
  }
  // An error after which nothing more is evaluated.
  template <typename... Args> Value failForGood(DiagId id, Span span, Args &&...args) {
    isDead = true;
    return fail(id, span, std::forward<Args>(args)...);
  }
  Value failOpaque(const OpaqueObject &opaque, Span span);
  void failOutOfSteps();
  // Adds to the error reported last.
  void note(Span span, std::string text) { lastDiagnostic_->note(span, std::move(text)); }
  // What a name that is none of `names` may have meant; `span` ends with it.
  void suggest(llvm::StringRef name, const std::vector<std::string> &names, Span span);
  // The same of a keyword in front of its value.
  void suggestKeyword(llvm::StringRef name, const std::vector<std::string> &names, Span value);
  // "did you mean 'T.copy'?", where `name` at the end of `span` is to become `near`.
  void suggestName(llvm::StringRef name, llvm::StringRef near, llvm::StringRef path, Span span);
  // Errors go to `diagnostics` from here on; returns where they went.
  Diagnostics &reportTo(Diagnostics &diagnostics);
  bool hasErrors() const { return diagnostics_->hasErrors(); }

  // --- limits ---
  // Counts one evaluated statement or expression; false when a limit is reached.
  bool step(Span span);
  void spendSteps(uint64_t steps) { steps_ += steps; }
  uint64_t stepsLeft() const { return limits.steps > steps_ ? limits.steps - steps_ : 0; }
  // Counts work that grows with the size of a value.
  void spend(uint64_t elements);
  // Counts the making of a value of `length` elements; false when a limit is reached.
  bool chargeLength(uint64_t length, Span span);

  // --- calls of Python functions ---
  void enterCall(const std::string &name, Span callSpan) { frames_.push_back({name, callSpan}); }
  void leaveCall() { frames_.pop_back(); }
  size_t callDepth() const { return frames_.size(); }

  // --- the kernel that is being built ---
  // The kernel, inside `with T.Kernel`; null after reporting that `what` needs one.
  KernelBuilder *requireLaunch(llvm::StringRef what, Span span);
  // The same outside `with T.Kernel` too.
  KernelBuilder *requireKernel(llvm::StringRef what, Span span);
  // Whether statements build IR here.
  bool isKernelCode() const { return names.isKernelScope() && kernel; }
  bool requireKernelCode(Span conditionSpan);

  Context &context;
  Builder ir;
  const EvalLimits limits;
  Heap heap;
  SourceModules modules;
  Names names;
  ControlFlow control;
  KernelBuilder *kernel = nullptr; // null outside a kernel
  KernelSignature signature;
  const AttributeObject *attribute = nullptr; // the innermost `with T.attr(...)`; null: none
  const Target *device = nullptr;             // what host queries are answered from; may be null
  ExprSizes exprSizes;
  unsigned depth = 0;  // of nested evaluation
  bool isDead = false; // nothing more is evaluated

private:
  Value failWith(DiagId id, Span span, std::string text);

  struct Frame {
    std::string name;
    Span callSpan;
  };

  Diagnostics *diagnostics_;
  Diagnostic *lastDiagnostic_ = nullptr;
  const std::atomic<bool> *stop_;
  std::vector<Frame> frames_; // of Python functions
  uint64_t steps_ = 0;
  uint64_t unspent_ = 0; // elements that are no whole step yet
  Span stepSpan_;        // what is being evaluated
};

} // namespace tilescope::frontend
