// The evaluator: runs the Python of a kernel file and lets kernels build IR.
//
// Members are grouped by the file that defines them. Functions that return a `Value` return the
// invalid one after reporting an error; functions that return bool return false, pointers null.
#pragma once

#include "core/frontend/builtins.h"
#include "core/frontend/kernel_builder.h"
#include "core/frontend/scope.h"
#include "core/support/diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <atomic>

namespace tilescope::frontend {

// How a statement ended.
enum class Flow : uint8_t { Normal, Break, Continue, Return, Failed };

class Interpreter {
public:
  Interpreter(Context &context, const ast::Module &module, Diagnostics &diagnostics,
              const EvalLimits &limits, const std::atomic<bool> *stop);

  struct Argument {
    llvm::StringRef name; // empty: positional
    Value value;
    Span span;
  };
  // Two operands of one type.
  struct Pair {
    const Expr *lhs = nullptr;
    const Expr *rhs = nullptr;
  };

  // --- interpreter.cpp: errors, limits, conversions ---
  // Reports, with the calls that led here as notes.
  template <typename... Args> Value fail(DiagId id, Span span, Args &&...args) {
    return failWith(id, span, llvm::formatv(textOf(id), std::forward<Args>(args)...).str());
  }
  template <typename... Args> bool failed(DiagId id, Span span, Args &&...args) {
    fail(id, span, std::forward<Args>(args)...);
    return false;
  }
  // An error after which nothing more is evaluated.
  template <typename... Args> Value failForGood(DiagId id, Span span, Args &&...args) {
    isDead_ = true;
    return fail(id, span, std::forward<Args>(args)...);
  }
  Value failOpaque(const OpaqueObject &opaque, Span span);
  // Adds to the error reported last.
  void note(Span span, std::string text) { lastDiagnostic_->note(span, std::move(text)); }
  // What a name that is none of `names` may have meant.
  void suggest(llvm::StringRef name, const std::vector<std::string> &names, Span span);
  // Counts one evaluated statement or expression; false when a limit is reached.
  bool step(Span span);
  // Counts work that grows with the size of a value.
  void spend(uint64_t elements) {
    steps_ += (unspent_ + elements) / 16;
    unspent_ = (unspent_ + elements) % 16;
  }
  // Counts the making of a value of `length` elements; false when a limit is reached.
  bool chargeLength(uint64_t length, Span span);
  std::optional<DType> toDType(Value value, Span span);
  // The kernel being built, inside `with T.Kernel`; null after reporting that `what` needs one.
  KernelBuilder *requireLaunch(llvm::StringRef what, Span span);
  // The same outside `with T.Kernel` too.
  KernelBuilder *requireKernel(llvm::StringRef what, Span span);
  bool requireKernelCode(Span conditionSpan);

  Context &context() { return context_; }
  Builder &ir() { return ir_; }
  KernelBuilder *kernel() { return kernel_; } // null outside a kernel
  Heap &heap() { return heap_; }
  Value string(std::string text) { return heap_.string(std::move(text)); }
  // str() or repr(), metered; nullopt after reporting that the text grows past a limit.
  std::optional<std::string> textOfValue(Value value, bool asRepr, Span span);
  // `==`, metered; false after reporting that deciding takes too many steps.
  bool areEqual(const Value &a, const Value &b);

  // --- module.cpp: the top level ---
  void loadModule();
  // The function with this name at the top level; null, without a report, if there is none.
  FunctionObject *findFunction(llvm::StringRef name);
  // What a decorator makes of a function, as far as names tell.
  FunctionRole roleOf(const ast::FunctionDefStmt &def);

  // --- calls.cpp ---
  Value call(Value callee, llvm::ArrayRef<Argument> arguments, Span span);
  // `env` gets the parameters and is left with the names that the call bound.
  Value callFunction(FunctionObject &function, llvm::ArrayRef<Argument> arguments, Env &env,
                     Span span);
  Env *newEnv(Env *parent);

  // --- expressions.cpp ---
  Value eval(const ast::Expr *expr);
  Value makeSet(const Values &items, Span span);
  bool addToSet(SetObject &set, Value item, Span span);
  bool setItem(DictObject &dict, Value key, Value value, Span span);
  Value *findItem(DictObject &dict, const Value &key); // null if there is none

  // --- operators.cpp ---
  Value binary(ast::BinaryOp op, Value lhs, Value rhs, Span span);
  Value compare(ast::CompareOp op, Value lhs, Value rhs, Span span);
  Value unary(ast::UnaryOp op, Value operand, Span span);
  Value logicalNot(Value operand, Span span);
  // Python's truth; reports that an expression has none while the kernel is built.
  std::optional<bool> truthOf(Value value, Span span);
  // Negative, zero or positive.
  std::optional<int> orderOf(Value lhs, Value rhs, Span span);

  // --- expr_operators.cpp ---
  const Expr *toExpr(Value value, Span span);
  const Expr *toExprOf(DType dtype, Value value, Span span);
  // An integer of at least 32 bits; `what` names it in the message.
  const Expr *toIndex(Value value, llvm::StringRef what, Span span);
  const Expr *toCondition(Value value, Span span);
  // Brings two numbers or expressions to the type in which they meet.
  std::optional<Pair> unify(Value lhs, Value rhs, Span span);
  Value binaryOf(BinaryOp op, Value lhs, Value rhs, Span span);
  Value select(Value condition, Value whenTrue, Value whenFalse, Span span);
  // The value of an expression just built; refuses one that grew too large.
  Value fromExpr(const Expr *expr, Span span);

  // --- integers.cpp: of any size ---
  Value integerOf(const llvm::APInt &value, Span span); // a signed number
  Value integerOf(double whole, Span span);             // towards zero
  Value integerOf(llvm::StringRef digits, unsigned radix, Span span);

  // --- exceptions.cpp ---
  Value makeException(llvm::StringRef type, Values args);

  // --- attributes.cpp, subscripts.cpp, buffers.cpp, formatting.cpp, loops.cpp ---
  Value attribute(Value object, llvm::StringRef name, Span span);
  bool hasAttribute(Value object, llvm::StringRef name);
  std::optional<size_t> resolveIndex(Value index, size_t size, Span span);
  // Calls `visit` with each element until it returns false; true if it never did.
  bool forEach(Value iterable, Span span, llvm::function_ref<bool(Value)> visit);
  std::optional<Values> toList(Value iterable, Span span);
  // `stop - start`, a constant where that can be seen.
  const Expr *distance(const Expr *start, const Expr *stop);
  bool storeElement(BufferObject &buffer, llvm::ArrayRef<Axis> axes, Value value, Span span);
  // The element, for a mutable variable of the kernel; anything else as it is.
  Value loadVariable(Value value);
  std::optional<std::string> format(Value value, llvm::StringRef spec, Span span);
  LoopObject *loopOver(Value start, Value stop, int64_t step, LoopObject::Form form, Span span);

  // --- elaborate.cpp ---
  // Builds the IR of a kernel: `function` is one, or returns one when it is called. Arguments are
  // taken by the functions that have parameters of their names.
  const Function *elaborate(FunctionObject &function, llvm::ArrayRef<Argument> arguments);
  // The function `name` inside `outer`, which is called for that.
  FunctionObject *nestedFunction(FunctionObject &outer, llvm::StringRef name,
                                 llvm::ArrayRef<Argument> arguments);
  // The default that the last call used; invalid if it was not needed.
  Value defaultUsed(const FunctionObject &function, llvm::StringRef param) const;
  // The value of a T.const; invalid if there is none.
  Value constArgument(llvm::StringRef name);
  void addPassConfigs(Value configs, Span span);
  llvm::ArrayRef<std::pair<std::string, Value>> passConfigs() const { return passConfigs_; }

private:
  struct CallFrame;

  Value failWith(DiagId id, Span span, std::string text);

  // module.cpp
  void loadStatement(const ast::Stmt *stmt, size_t position);
  void loadImports(const ast::Stmt *stmt, size_t position);
  void bindImport(const ast::Stmt *stmt, llvm::function_ref<void(llvm::StringRef, Value)> bind);
  Value importModule(llvm::StringRef module, Span span);
  Value importedMember(llvm::StringRef module, llvm::StringRef name, Span span);
  void noteSkippedNames(const ast::Stmt *stmt);
  Value lookUp(llvm::StringRef name, Span span);
  Value readBinding(llvm::StringRef name, ModuleScope::Binding &binding);
  bool runThunk(const ast::Stmt *stmt, size_t position);
  Value undefinedName(llvm::StringRef name, Span span);

  // functions.cpp
  Value makeFunction(const ast::FunctionDefStmt &def, bool isTopLevel);
  Value makeLambda(const ast::LambdaExpr &lambda);
  Value makeClass(const ast::ClassDefStmt &def);
  Value defaultOf(FunctionObject &function, size_t index);
  void applyDecorator(FunctionObject &function, const ast::Expr *decorator);
  Value decoratorCallee(const ast::Expr *decorator);
  bool makeDataclass(ClassObject &type, const ast::ClassDefStmt &def);
  bool makeEnum(ClassObject &type, const ast::ClassDefStmt &def);
  Value memberOf(ClassObject &type, llvm::StringRef name, unsigned depth = 0);
  Value enumMemberOf(ClassObject &type, llvm::ArrayRef<Argument> arguments, Span span);
  bool bindFields(InstanceObject &instance, llvm::ArrayRef<Argument> arguments, Span span);
  Value instantiate(ClassObject &type, llvm::ArrayRef<Argument> arguments, Span span);

  // calls.cpp
  Value evalCall(const ast::CallExpr &call);
  bool evalArguments(const ast::CallExpr &call, llvm::SmallVectorImpl<Argument> &out);
  bool spreadKeywords(Value mapping, Span span, llvm::SmallVectorImpl<Argument> &out);
  Value callBuiltin(BuiltinObject &builtin, llvm::ArrayRef<Argument> arguments, Span span);
  Value callWithOwnScope(FunctionObject &function, llvm::ArrayRef<Argument> arguments, Span span);
  Value runBody(FunctionObject &function, Env &env, Span span);
  bool bindArguments(FunctionObject &function, llvm::ArrayRef<Argument> arguments, Env &env,
                     Span span);
  bool bindPositional(FunctionObject &function, llvm::ArrayRef<Argument> arguments, Env &env);
  bool bindKeywords(FunctionObject &function, llvm::ArrayRef<Argument> arguments, Env &env);
  bool bindDefaults(FunctionObject &function, Env &env, Span span);
  Value bindParameter(FunctionObject &function, const ast::Param &param, Value value, Span span);

  // expressions.cpp
  Value evalIn(Env *env, const ast::Expr *expr);
  Value evalExpression(const ast::Expr *expr);
  Value evalName(const ast::NameExpr &name);
  Value evalInt(const ast::IntExpr &literal);
  Value evalSequence(const ast::Expr &expr);
  bool evalElements(ast::ExprList elements, Values &out);
  Value evalDict(const ast::DictExpr &expr);
  Value evalUnary(const ast::UnaryExpr &expr);
  Value evalBinary(const ast::BinaryExpr &expr);
  Value evalBoolOp(const ast::BoolOpExpr &expr);
  Value evalCompare(const ast::CompareExpr &expr);
  Value evalConditional(const ast::ConditionalExpr &expr);
  Value evalAttribute(const ast::AttributeExpr &expr);
  Value evalSubscript(const ast::SubscriptExpr &expr);
  Value evalIndex(const ast::Expr &index);
  Value evalWalrus(const ast::WalrusExpr &expr);
  Value evalComprehension(const ast::ComprehensionExpr &expr);
  bool runClauses(const ast::ComprehensionExpr &expr, size_t index,
                  llvm::function_ref<bool()> visit);

  // statements.cpp
  Flow exec(const ast::Stmt *stmt);
  Flow execBlock(ast::StmtList stmts);
  Flow execStatement(const ast::Stmt *stmt);
  Flow execExpression(const ast::ExprStmt &stmt);
  Flow execIf(const ast::IfStmt &stmt, size_t branch);
  Flow execDeviceIf(const ast::IfStmt &stmt, size_t branch, Value condition);
  Flow execWhile(const ast::WhileStmt &stmt);
  Flow execJump(const ast::Stmt *stmt);
  Flow execWith(const ast::WithStmt &stmt, size_t item);
  Flow execLaunch(const ast::WithStmt &stmt, size_t item, LaunchObject &launch);
  bool bindLaunchVariables(const ast::Expr &target);
  Flow execReturn(const ast::ReturnStmt &stmt);
  Flow execAssert(const ast::AssertStmt &stmt);
  Flow execDelete(const ast::DeleteStmt &stmt);
  bool deleteTarget(const ast::Expr *target);
  bool deleteItem(Value object, Value index, Span span);
  void poisonTargets(const ast::Stmt *stmt);

  // exceptions.cpp
  Flow execRaise(const ast::RaiseStmt &stmt);
  Flow execTry(const ast::TryStmt &stmt);
  Value evalRaised(const ast::RaiseStmt &stmt);
  void raiseForDiagnostic(DiagId id, llvm::StringRef text);
  // nullptr: none takes it, or a type could not be evaluated, which is reported.
  const ast::ExceptHandler *findHandler(const ast::TryStmt &stmt, Value raised);

  // loops.cpp
  Flow execFor(const ast::ForStmt &stmt);
  Flow execPythonFor(const ast::ForStmt &stmt, Value iterable);
  Flow execDeviceFor(const ast::ForStmt &stmt, LoopObject &loop);
  Flow execLoopBody(const ast::ForStmt &stmt, llvm::ArrayRef<Value> variables);
  void emitParallel(const LoopObject &loop, const StmtInfo &info, llvm::ArrayRef<const Var *> vars,
                    const Stmt *body);
  void emitLoop(const LoopObject &loop, const StmtInfo &info, llvm::ArrayRef<const Var *> vars,
                Span span);

  // assignment.cpp
  Flow execAssign(const ast::AssignStmt &stmt);
  Flow execAugAssign(const ast::AugAssignStmt &stmt);
  Flow execAnnAssign(const ast::AnnAssignStmt &stmt);
  bool assign(const ast::Expr *target, Value value);
  bool bindTarget(const ast::Expr *target, Value value);
  bool assignName(llvm::StringRef name, Value value, Span span);
  bool assignElements(ast::ExprList targets, Value value, Span span);
  bool assignSubscript(const ast::SubscriptExpr &target, Value value);
  bool assignAttribute(const ast::AttributeExpr &target, Value value);
  void readBeforeStoring(ast::ExprList targets, Values &values);
  Value evalTargetOf(const ast::AugAssignStmt &stmt);
  bool setName(llvm::StringRef name, Value value);
  Value bindInKernel(llvm::StringRef name, Value value, Span span);
  Value *findLocal(llvm::StringRef name);
  BufferObject *variableNamed(llvm::StringRef name);
  RegionObject *referenceNamed(llvm::StringRef name);

  // operators.cpp, expr_operators.cpp
  Value unsupportedOperands(llvm::StringRef op, Value lhs, Value rhs, Span span);
  Value binaryNumbers(ast::BinaryOp op, Value lhs, Value rhs, Span span);
  Value binaryIntegers(ast::BinaryOp op, int64_t lhs, int64_t rhs, Span span);
  Value binaryBigIntegers(ast::BinaryOp op, Value lhs, Value rhs, Span span);
  Value binaryFloats(ast::BinaryOp op, double lhs, double rhs, Span span);
  Value binarySequences(ast::BinaryOp op, Value lhs, Value rhs, Span span);
  Value binaryExprs(ast::BinaryOp op, Value lhs, Value rhs, Span span);
  Value compareExprs(ast::CompareOp op, Value lhs, Value rhs, Span span);
  Value unaryExpr(ast::UnaryOp op, Value operand, Span span);
  Value contains(Value container, Value item, Span span);
  Value repeat(Value sequence, int64_t times, Span span);
  Value binarySets(ast::BinaryOp op, SetObject &lhs, SetObject &rhs, Span span);
  Value compareSets(ast::CompareOp op, SetObject &lhs, SetObject &rhs);
  Value mergeDicts(const DictObject &lhs, const DictObject &rhs, Span span);
  std::pair<uint32_t, uint64_t> measure(const Expr *expr);

  // attributes.cpp
  Value namespaceMember(llvm::StringRef space, llvm::StringRef name, Span span);
  Value namespaceAttribute(NamespaceObject &object, llvm::StringRef name, Span span);
  Value bufferAttribute(BufferObject &buffer, llvm::StringRef name, Span span);
  Value dtypeAttribute(DTypeObject &object, llvm::StringRef name);
  Value instanceAttribute(InstanceObject &instance, llvm::StringRef name, Span span);

  // subscripts.cpp, buffers.cpp
  Value subscript(Value object, Value index, Span span);
  Value subscriptBuiltin(BuiltinObject &builtin, Value index, Span span);
  Value subscriptSequence(Value object, const Values &items, Value index, Span span);
  Value subscriptString(llvm::StringRef text, Value index, Span span);
  Value subscriptBuffer(BufferObject &buffer, Value index, Span span);
  RangeObject *resolveSlice(const SliceObject &slice, int64_t size, Span span);
  bool setSubscript(Value object, Value index, Value value, Span span);
  bool setSlice(ListObject &list, const SliceObject &slice, Value value, Span span);
  bool failedToIterate(Value value, Span span);
  std::optional<std::vector<Axis>> toAxes(BufferObject &buffer, Value index, Span span);
  std::optional<Axis> sliceAxis(SliceObject &slice, const Expr *extent, Span span);

  // formatting.cpp
  Value evalFString(const ast::FStringExpr &string);
  std::optional<std::string> formatPart(const ast::FStringPart &part);
  Value formatPercent(const std::string &format, Value values, Span span);

  // elaborate.cpp
  llvm::SmallVector<Argument, 8> argumentsOf(const FunctionObject &function,
                                             llvm::ArrayRef<Argument> arguments);
  void readJitOptions(FunctionObject &function);
  const Function *elaboratePrimFunc(FunctionObject &function, llvm::StringRef name);
  const Function *elaborateEager(FunctionObject &function, llvm::ArrayRef<Argument> arguments);
  const Function *runKernel(FunctionObject &function, Env &env, KernelBuilder &builder);
  bool bindTensorArguments(FunctionObject &function, Env &env);
  bool declareParam(llvm::StringRef name, Value annotation, size_t position, Span span);
  bool declareTensor(const ast::NameExpr &target, Value annotation);
  Value declareOutput(llvm::StringRef name, TensorTypeObject &tensor, Span span);
  BufferObject *addTensor(llvm::StringRef name, const TensorTypeObject &tensor, size_t position,
                          Span span);
  bool readOutIdx(llvm::SmallVectorImpl<const BufferObject *> &outputs);
  bool readReturned(Value value, llvm::SmallVectorImpl<const BufferObject *> &outputs, Span span);

  Context &context_;
  Builder ir_;
  const ast::Module &module_;
  Diagnostics *diagnostics_;
  Diagnostic *lastDiagnostic_ = nullptr;
  EvalLimits limits_;
  const std::atomic<bool> *stop_;

  Heap heap_;
  std::vector<std::unique_ptr<Env>> envs_;
  ModuleScope globals_;
  Env *env_ = nullptr;            // innermost; null at the top level
  size_t globalLimit_ = SIZE_MAX; // bindings of the top level from here on are not visible
  size_t thunkPosition_ = 0;      // the statement of the top level that is running
  struct Frame {
    std::string name;
    Span callSpan;
  };
  std::vector<Frame> frames_; // of Python functions
  uint64_t steps_ = 0;
  uint64_t unspent_ = 0;          // elements that are no whole step yet
  unsigned depth_ = 0;            // of nested evaluation
  unsigned tryDepth_ = 0;         // of nested `try` bodies
  unsigned deviceDepth_ = 0;      // of device loops and branches around this statement
  unsigned frameDeviceDepth_ = 0; // the same where the running function was entered
  bool isDead_ = false;           // nothing more is evaluated
  Value returned_;
  Span returnSpan_; // where the last function that ended returned; its name if at its end
  Value raised_;    // the exception that is under way; invalid: what Python has none for
  std::vector<Value> handled_; // exceptions whose handlers are running
  Span stepSpan_;              // what is being evaluated

  KernelBuilder *kernel_ = nullptr;
  llvm::DenseMap<const Expr *, std::pair<uint32_t, uint64_t>> measured_;
  std::vector<Argument> constants_; // for T.const
  std::vector<std::pair<std::string, Value>> passConfigs_;
  Value outIdx_;
  Span outIdxSpan_;
  std::vector<BufferObject *> declared_; // parameters by position; null: a scalar
  std::vector<BufferObject *> outputs_;  // made by T.empty
};

// Sorts in place by the arguments `key` and `reverse`.
bool sortValues(Args &args, Values &items);
// Adds what the arguments of `dict(...)` or `dict.update(...)` hold.
bool updateDict(Args &args, DictObject &dict);
// Whether the exception type `name` is `base` or derives from it; both are Python's own.
bool isExceptionSubtype(llvm::StringRef name, llvm::StringRef base);
bool isExceptionName(llvm::StringRef name);
bool isSubclass(const ClassObject &type, const ClassObject &base, unsigned depth = 0);
// "a, b=..., *, c"
std::string signatureOf(const FunctionObject &function);

} // namespace tilescope::frontend
