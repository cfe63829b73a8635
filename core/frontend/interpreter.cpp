// Errors, limits, and the small conversions that everything else uses.
#include "core/frontend/interpreter.h"

#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// Errors of one kernel are worth reading up to here.
static constexpr unsigned MaxKernelErrors = 20;
static constexpr unsigned MaxCallNotes = 4;

Interpreter::Interpreter(Context &context, const ast::Module &module, Diagnostics &diagnostics,
                         const EvalLimits &limits, const std::atomic<bool> *stop)
    : context_(context), ir_(context), module_(module), diagnostics_(&diagnostics), limits_(limits),
      stop_(stop) {}

Value Interpreter::failWith(DiagId id, Span span, std::string text) {
  lastDiagnostic_ = &diagnostics_->add(id, span, std::move(text));
  unsigned notes = 0;
  for (const Frame &frame : llvm::reverse(frames_)) {
    if (!frame.callSpan.isValid() || notes++ == MaxCallNotes)
      break;
    lastDiagnostic_->note(frame.callSpan, "in a call of '" + frame.name + "' from here");
  }
  if (severityOf(id) == Severity::Error)
    raiseForDiagnostic(id, lastDiagnostic_->text);
  if (diagnostics_->errorCount() >= MaxKernelErrors)
    isDead_ = true;
  return Value();
}

bool Interpreter::step(Span span) {
  if (isDead_)
    return false;
  stepSpan_ = span;
  if (++steps_ > limits_.steps)
    failForGood(DiagId::EvalLimit, span, "steps", limits_.steps, "--max-steps");
  else if (heap_.bytes() > limits_.memoryBytes)
    failForGood(DiagId::EvalLimit, span, "bytes of values", limits_.memoryBytes, "--max-memory");
  else if (stop_ && *stop_)
    failForGood(DiagId::EvaluationStopped, span);
  return !isDead_;
}

bool Interpreter::chargeLength(uint64_t length, Span span) {
  if (length > limits_.listLength) {
    failForGood(DiagId::EvalLimit, span, "elements in one value", limits_.listLength,
                "--max-list-length");
    return false;
  }
  // Long values cost steps as if they were built element by element.
  steps_ += length / 16;
  heap_.charge(length);
  return true;
}

std::optional<std::string> Interpreter::textOfValue(Value value, bool asRepr, Span span) {
  if (auto *instance = value.as<InstanceObject>())
    for (llvm::StringRef method : {"__str__", "__repr__", "__format__"})
      if (memberOf(*instance->type, method)) {
        fail(DiagId::NotSupportedYet, span, ("'" + method + "' of a class").str());
        return std::nullopt;
      }
  std::optional<std::string> text = wholeTextOf(value, asRepr, limits_.listLength);
  if (!text)
    failForGood(DiagId::EvalLimit, span, "bytes in the text of one value", limits_.listLength,
                "--max-list-length");
  else
    spend(text->size());
  return text;
}

bool Interpreter::areEqual(const Value &a, const Value &b) {
  uint64_t work = 0;
  uint64_t maxWork = limits_.steps > steps_ ? (limits_.steps - steps_) * 16 : 0;
  std::optional<bool> equal = frontend::areEqual(a, b, work, maxWork);
  spend(work);
  if (!equal && !isDead_)
    failForGood(DiagId::EvalLimit, stepSpan_, "steps", limits_.steps, "--max-steps");
  return equal.value_or(false);
}

std::optional<DType> Interpreter::toDType(Value value, Span span) {
  std::optional<llvm::StringRef> text = textOf(value);
  if (const auto *opaque = value.as<OpaqueObject>()) {
    llvm::StringRef path = opaque->path;
    if (path.consume_front("torch."))
      text = path;
  }
  // `int`, `float` and `bool` themselves stand for types too.
  if (const auto *builtin = value.as<BuiltinObject>(); builtin && builtin->info.space.empty())
    text = builtin->info.name;
  if (!text) {
    fail(DiagId::NotADType, span, phraseFor(value));
    return std::nullopt;
  }
  std::optional<DType> dtype = parseDType(*text);
  if (!dtype)
    fail(DiagId::NotADType, span, ("'" + *text + "'").str());
  return dtype;
}

void Interpreter::suggest(llvm::StringRef name, const std::vector<std::string> &names, Span span) {
  if (std::string near = nearestName(name, names); !near.empty())
    note(span, "did you mean '" + near + "'?");
}

KernelBuilder *Interpreter::requireLaunch(llvm::StringRef what, Span span) {
  if (kernel_ && kernel_->launch())
    return kernel_;
  fail(DiagId::OutsideKernel, span, what);
  return nullptr;
}

KernelBuilder *Interpreter::requireKernel(llvm::StringRef what, Span span) {
  if (!kernel_)
    fail(DiagId::OutsideKernel, span, what);
  return kernel_;
}

// Plain Python cannot branch on what only the device knows.
bool Interpreter::requireKernelCode(Span conditionSpan) {
  if (env_ && env_->isKernel && kernel_)
    return true;
  return failed(DiagId::ConditionUnknown, conditionSpan);
}

} // namespace tilescope::frontend
