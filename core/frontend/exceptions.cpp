#include "core/frontend/exceptions.h"

#include "core/frontend/assignment.h"
#include "core/frontend/calls.h"
#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/statements.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

struct ExceptionClass {
  llvm::StringRef name;
  llvm::StringRef base;
};

constexpr ExceptionClass ExceptionClasses[] = {
    {"BaseException", ""},
    {"Exception", "BaseException"},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"ArithmeticError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"FileNotFoundError", "OSError"},
    {"PermissionError", "OSError"},
    {"TimeoutError", "OSError"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"RecursionError", "RuntimeError"},
    {"StopIteration", "Exception"},
    {"SyntaxError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"Warning", "Exception"},
    {"DeprecationWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"UserWarning", "Warning"},
};

const ExceptionClass *findClass(llvm::StringRef name) {
  const auto *found =
      llvm::find_if(ExceptionClasses, [&](const ExceptionClass &one) { return one.name == name; });
  return found == std::end(ExceptionClasses) ? nullptr : found;
}

// The type of what Python raises where this is reported; empty: nothing.
// flat table
llvm::StringRef exceptionTypeFor(DiagId id) {
  switch (id) {
  case DiagId::KeyNotFound:
    return "KeyError";
  case DiagId::ItemOutOfRange:
    return "IndexError";
  case DiagId::DivisionByZero:
    return "ZeroDivisionError";
  case DiagId::UndefinedName:
    return "NameError";
  case DiagId::UnknownMember:
  case DiagId::NoAttribute:
    return "AttributeError";
  case DiagId::BadDigits:
  case DiagId::MathDomain:
  case DiagId::NegativeShift:
  case DiagId::ZeroStep:
  case DiagId::EmptySequence:
  case DiagId::UnpackCount:
  case DiagId::SliceSize:
  case DiagId::BadFormat:
  case DiagId::ItemNotFound:
    return "ValueError";
  case DiagId::NotWhole:
    return "OverflowError";
  case DiagId::NothingToRaise:
    return "RuntimeError";
  case DiagId::NotCallable:
  case DiagId::TooManyArguments:
  case DiagId::UnknownKeyword:
  case DiagId::ArgumentGivenTwice:
  case DiagId::ArgumentMissing:
  case DiagId::WrongArgument:
  case DiagId::WrongType:
  case DiagId::BadOperands:
  case DiagId::BadOperand:
  case DiagId::NotHashable:
  case DiagId::NotSubscriptable:
  case DiagId::NotIterable:
  case DiagId::CannotAssign:
  case DiagId::NotAnException:
    return "TypeError";
  default:
    return "";
  }
}

// Python's own exception type that an exception is of, or that its class derives from; empty:
// none.
llvm::StringRef builtinTypeOf(const ClassObject &type, unsigned depth = 0) {
  constexpr unsigned MaxBases = 20;
  for (const Value &base : type.bases) {
    if (const auto *exception = base.as<ExceptionTypeObject>())
      return exception->name;
    const auto *inherited = base.as<ClassObject>();
    if (inherited && depth < MaxBases)
      if (llvm::StringRef found = builtinTypeOf(*inherited, depth + 1); !found.empty())
        return found;
  }
  return "";
}

llvm::StringRef builtinTypeOf(const Value &raised) {
  if (const auto *exception = raised.as<ExceptionObject>())
    return exception->type;
  const auto *instance = raised.as<InstanceObject>();
  return instance ? builtinTypeOf(*instance->type) : "";
}

bool isCaughtBy(const Value &raised, const Value &type) {
  if (const auto *own = type.as<ClassObject>()) {
    const auto *instance = raised.as<InstanceObject>();
    return instance && isSubclass(*instance->type, *own);
  }
  const auto *wanted = type.as<ExceptionTypeObject>();
  return wanted && isExceptionSubtype(builtinTypeOf(raised), wanted->name);
}

// The text behind the type in a message.
std::string messageOf(const Value &raised) {
  std::string text;
  if (const auto *instance = raised.as<InstanceObject>()) {
    const auto *args = instance->attributes.lookup("args").as<TupleObject>();
    if (args && !args->items.empty())
      text = strOf(args->items.size() == 1 ? args->items[0]
                                           : Value(instance->attributes.lookup("args")));
  } else {
    text = strOf(raised);
  }
  return text.empty() ? "" : ": " + text;
}

} // namespace

bool isExceptionName(llvm::StringRef name) { return findClass(name) != nullptr; }

bool isExceptionSubtype(llvm::StringRef name, llvm::StringRef base) {
  while (!name.empty() && name != base)
    name = findClass(name)->base;
  return !name.empty();
}

Value exceptionOf(Heap &heap, DiagId id, llvm::StringRef text) {
  llvm::StringRef type = exceptionTypeFor(id);
  return type.empty() ? Value() : heap.make<ExceptionObject>(type, Values{heap.string(text.str())});
}

void raiseException(Evaluation &evaluation, Value exception) {
  evaluation.control.raised = exception;
  evaluation.isDead = evaluation.control.tryDepth == 0;
}

// The exception that a `raise` names: a type is called without arguments.
static Value evalRaised(Evaluation &evaluation, const ast::RaiseStmt &stmt) {
  if (!stmt.exception)
    return evaluation.control.handled.empty() ? evaluation.fail(DiagId::NothingToRaise, stmt.span)
                                              : evaluation.control.handled.back();
  Value exception = eval(evaluation, stmt.exception);
  if (exception.is(ValueKind::ExceptionType) || exception.is(ValueKind::Class))
    exception = call(evaluation, exception, {}, stmt.exception->span);
  if (!exception || !builtinTypeOf(exception).empty())
    return exception;
  return evaluation.fail(DiagId::NotAnException, stmt.exception->span, phraseFor(exception));
}

Flow execRaise(Evaluation &evaluation, const ast::RaiseStmt &stmt) {
  Value exception = evalRaised(evaluation, stmt);
  if (!exception)
    return Flow::Failed;
  evaluation.failForGood(DiagId::ExceptionRaised, stmt.span, typeName(exception),
                         messageOf(exception));
  raiseException(evaluation, exception);
  return Flow::Failed;
}

static const ast::ExceptHandler *findHandler(Evaluation &evaluation, const ast::TryStmt &stmt,
                                             Value raised) {
  for (const ast::ExceptHandler &handler : stmt.handlers) {
    if (!handler.type)
      return &handler;
    Value type = eval(evaluation, handler.type);
    if (!type)
      return nullptr;
    const auto *types = type.as<TupleObject>();
    bool isCaught = types ? llvm::any_of(types->items,
                                         [&](const Value &one) { return isCaughtBy(raised, one); })
                          : isCaughtBy(raised, type);
    if (isCaught)
      return &handler;
  }
  return nullptr;
}

// Errors inside are kept back until it is clear that no handler takes them.
Flow execTry(Evaluation &evaluation, const ast::TryStmt &stmt) {
  ControlFlow &control = evaluation.control;
  Diagnostics inner;
  Diagnostics &outer = evaluation.reportTo(inner);
  control.raised = Value();
  ++control.tryDepth;
  Flow flow = execBlock(evaluation, stmt.body);
  --control.tryDepth;
  evaluation.reportTo(outer);
  Value raised = control.raised;
  const ast::ExceptHandler *handler = nullptr;
  if (flow == Flow::Failed && !evaluation.isDead && raised)
    handler = findHandler(evaluation, stmt, raised);
  for (const Diagnostic &diagnostic : inner.all()) {
    bool isHandled = handler && diagnostic.severity == Severity::Error;
    if (!isHandled)
      outer.add(diagnostic.id, diagnostic.span, diagnostic.text).notes = diagnostic.notes;
  }
  if (handler) {
    if (!handler->name.empty())
      setName(evaluation, handler->name, raised);
    control.handled.push_back(raised);
    flow = execBlock(evaluation, handler->body);
    control.handled.pop_back();
  } else if (flow == Flow::Normal) {
    flow = execBlock(evaluation, stmt.orelse);
  }
  raised = control.raised;
  Flow last = execBlock(evaluation, stmt.finally);
  control.raised = last == Flow::Failed ? control.raised : raised;
  return last == Flow::Normal ? flow : last;
}

} // namespace tilescope::frontend
