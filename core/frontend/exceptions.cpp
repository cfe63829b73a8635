// `raise`, `try`, and which exception of Python an error of the evaluator is.
//
// An error that Python would not raise (something not supported, a limit) is no exception: no
// handler takes it, so that a kernel never silently goes the way of its `except`.
#include "core/frontend/interpreter.h"

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

// What Python raises where this is reported; empty: nothing.
// flat table
llvm::StringRef exceptionFor(DiagId id) {
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

Value Interpreter::makeException(llvm::StringRef type, Values args) {
  return heap_.make<ExceptionObject>(type, std::move(args));
}

void Interpreter::raiseForDiagnostic(DiagId id, llvm::StringRef text) {
  llvm::StringRef type = exceptionFor(id);
  raised_ = type.empty() ? Value() : makeException(type, {string(text.str())});
}

// The exception that a `raise` names: a type is called without arguments.
Value Interpreter::evalRaised(const ast::RaiseStmt &stmt) {
  if (!stmt.exception)
    return handled_.empty() ? fail(DiagId::NothingToRaise, stmt.span) : handled_.back();
  Value exception = eval(stmt.exception);
  if (exception.is(ValueKind::ExceptionType) || exception.is(ValueKind::Class))
    exception = call(exception, {}, stmt.exception->span);
  if (!exception || !builtinTypeOf(exception).empty())
    return exception;
  return fail(DiagId::NotAnException, stmt.exception->span, phraseFor(exception));
}

Flow Interpreter::execRaise(const ast::RaiseStmt &stmt) {
  Value exception = evalRaised(stmt);
  if (!exception)
    return Flow::Failed;
  failForGood(DiagId::ExceptionRaised, stmt.span, typeName(exception), messageOf(exception));
  raised_ = exception;
  isDead_ = tryDepth_ == 0;
  return Flow::Failed;
}

const ast::ExceptHandler *Interpreter::findHandler(const ast::TryStmt &stmt, Value raised) {
  for (const ast::ExceptHandler &handler : stmt.handlers) {
    if (!handler.type)
      return &handler;
    Value type = eval(handler.type);
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
Flow Interpreter::execTry(const ast::TryStmt &stmt) {
  Diagnostics inner;
  Diagnostics *outer = std::exchange(diagnostics_, &inner);
  raised_ = Value();
  ++tryDepth_;
  Flow flow = execBlock(stmt.body);
  --tryDepth_;
  diagnostics_ = outer;
  Value raised = raised_;
  const ast::ExceptHandler *handler = nullptr;
  if (flow == Flow::Failed && !isDead_ && raised)
    handler = findHandler(stmt, raised);
  for (const Diagnostic &diagnostic : inner.all()) {
    bool isHandled = handler && diagnostic.severity == Severity::Error;
    if (!isHandled)
      diagnostics_->add(diagnostic.id, diagnostic.span, diagnostic.text).notes = diagnostic.notes;
  }
  if (handler) {
    if (!handler->name.empty())
      setName(handler->name, raised);
    handled_.push_back(raised);
    flow = execBlock(handler->body);
    handled_.pop_back();
  } else if (flow == Flow::Normal) {
    flow = execBlock(stmt.orelse);
  }
  raised = raised_;
  Flow last = execBlock(stmt.finally);
  raised_ = last == Flow::Failed ? raised_ : raised;
  return last == Flow::Normal ? flow : last;
}

} // namespace tilescope::frontend
