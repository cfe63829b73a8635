// Values of the evaluator.
//
// A `Value` is 16 bytes and copied freely: a small scalar, an IR expression, or a pointer to an
// object that the `Heap` owns until the evaluation ends. The invalid value says "failed, already
// reported" where a function returns a value, and "not given" where a parameter is optional.
#pragma once

#include "core/frontend/limits.h"
#include "core/ir/module.h"
#include "core/syntax/ast.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>
#include <vector>

namespace tilescope::frontend {

struct Env;
struct Object;

enum class ValueKind : uint8_t {
  Invalid,
  Poison, // stands for the result of a statement whose error was reported
  None,
  Bool,
  Int,
  Float,
  Ellipsis,
  Expr,
  // Objects from here on.
  BigInt,
  String,
  Tuple,
  List,
  Set,
  Dict,
  Range,
  Slice,
  DType,
  Enum,
  Function,
  BoundMethod,
  Builtin,
  Namespace,
  Module,
  Opaque,
  Class,
  Instance,
  ExceptionType,
  Exception,
  Partial,
  Buffer,
  Region,
  TensorType,
  TensorArgument,
  Pointer,
  Loop,
  Launch,
  Role,
  Layout,
  Combiner,
  Attribute,
  Generator,
  Super,
  HostTensor,
  Vector,
};

class Value {
public:
  Value() = default;
  static Value none() { return Value(ValueKind::None); }
  static Value poison() { return Value(ValueKind::Poison); }
  static Value ellipsis() { return Value(ValueKind::Ellipsis); }
  static Value boolean(bool b);
  static Value integer(int64_t i);
  static Value floating(double f);
  // Integer constants of type int32 and constants of type bool become Python values.
  static Value expr(const tilescope::Expr *expr);
  Value(Object *object); // NOLINT: an object is a value

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  // Whether there is a value. (Truth in Python's sense is truthOf in operators.h.)
  explicit operator bool() const { return kind_ != ValueKind::Invalid; }

  bool isNone() const { return kind_ == ValueKind::None; }
  bool isBool() const { return kind_ == ValueKind::Bool; }
  bool isInt() const { return kind_ == ValueKind::Int; }
  bool isFloat() const { return kind_ == ValueKind::Float; }
  bool isExpr() const { return kind_ == ValueKind::Expr; }
  // bool, int or float, of any size
  bool isNumber() const { return isBool() || isInt() || isFloat() || isBigInt(); }
  // an int past 64 bits
  bool isBigInt() const { return kind_ == ValueKind::BigInt; }
  // bool, or int of up to 64 bits
  bool isIntegral() const { return isBool() || isInt(); }

  bool asBool() const { return bool_; }
  int64_t asInt() const { return isBool() ? bool_ : int_; }
  double asDouble() const;
  const tilescope::Expr *asExpr() const { return expr_; }
  Object *object() const { return kind_ >= ValueKind::BigInt ? object_ : nullptr; }
  template <typename T> T *as() const {
    return kind_ == T::Kind ? static_cast<T *>(object_) : nullptr;
  }

private:
  explicit Value(ValueKind kind) : kind_(kind) {}

  ValueKind kind_ = ValueKind::Invalid;
  // The check takes the members of an anonymous union for public ones.
  // NOLINTBEGIN(readability-identifier-naming)
  union {
    bool bool_;
    int64_t int_ = 0;
    double float_;
    const tilescope::Expr *expr_;
    Object *object_;
  };
  // NOLINTEND(readability-identifier-naming)
};

struct Object {
  const ValueKind kind;

  explicit Object(ValueKind kind) : kind(kind) {}
  Object(const Object &) = delete;
  virtual ~Object() = default;
};

template <ValueKind K> struct ObjectOf : Object {
  static constexpr ValueKind Kind = K;
  ObjectOf() : Object(K) {}
};

inline Value::Value(Object *object) : kind_(object->kind), object_(object) {}

// An integer that does not fit 64 bits, and so never equals one that does.
struct BigIntObject : ObjectOf<ValueKind::BigInt> {
  explicit BigIntObject(llvm::APSInt value) : value(std::move(value)) {}
  llvm::APSInt value; // signed, as narrow as possible
};

// UTF-8; Python counts in code points (unicode_text.h).
struct StringObject : ObjectOf<ValueKind::String> {
  explicit StringObject(std::string text) : text(std::move(text)) {}
  std::string text;
};

using Values = std::vector<Value>;

struct ClassObject;

struct TupleObject : ObjectOf<ValueKind::Tuple> {
  explicit TupleObject(Values items) : items(std::move(items)) {}
  Values items;
  ClassObject *type = nullptr; // of a named tuple, whose fields name the items
};

struct ListObject : ObjectOf<ValueKind::List> {
  explicit ListObject(Values items) : items(std::move(items)) {}
  Values items;
};

struct SetObject : ObjectOf<ValueKind::Set> {
  Values items; // without equal ones, in order of insertion
};

struct DictObject : ObjectOf<ValueKind::Dict> {
  std::vector<std::pair<Value, Value>> items; // in order of insertion
};

struct RangeObject : ObjectOf<ValueKind::Range> {
  RangeObject(int64_t start, int64_t stop, int64_t step) : start(start), stop(stop), step(step) {}
  int64_t size() const;

  int64_t start;
  int64_t stop;
  int64_t step;
};

struct SliceObject : ObjectOf<ValueKind::Slice> {
  SliceObject(Value start, Value stop, Value step) : start(start), stop(stop), step(step) {}
  Value start; // none where left out
  Value stop;
  Value step;
};

// A dtype is equal to the string of its name.
struct DTypeObject : ObjectOf<ValueKind::DType> {
  explicit DTypeObject(DType dtype, int64_t lanes = 1)
      : dtype(dtype), lanes(lanes),
        name(dtype.name() + (lanes == 1 ? "" : "x" + std::to_string(lanes))) {}
  DType dtype;       // of one lane
  int64_t lanes = 1; // of a vector: two or more
  std::string name;
};

// A member of an enumeration: `T.GemmWarpPolicy.FullRow`, `tilelang.PassConfigKey.TL_X`, or of one
// of the file.
struct EnumObject : ObjectOf<ValueKind::Enum> {
  EnumObject(llvm::StringRef type, llvm::StringRef name) : type(type), name(name) {}
  std::string type;
  std::string name;
  ClassObject *owner = nullptr; // null for an enumeration of TileLang
  Value value;                  // invalid for one
};

// One argument of a call.
struct Argument {
  llvm::StringRef name; // empty: positional
  Value value;
  Span span;
};

class ModuleScope;

// Where a function was made, which is where its body looks names up.
struct Closure {
  Env *env = nullptr; // innermost; null at the top level
  ModuleScope *globals = nullptr;
};

// What decides how the body of a function is executed.
enum class FunctionRole : uint8_t {
  Plain,    // ordinary Python
  Jit,      // `@tilelang.jit`; a factory or an eager kernel
  PrimFunc, // `@T.prim_func`
  Macro,    // `@T.macro`: inlined where it is called
};

// What a function of a class is given in front of its arguments.
enum class MethodForm : uint8_t {
  OfInstance,
  OfClass,  // `@classmethod`
  Static,   // `@staticmethod`: nothing
  Property, // `@property`: called where the name is read
};

// What `tilelang.compile(function, out_idx=..., pass_configs=...)` says of a kernel; invalid
// values: nothing.
struct CompileOptions {
  Value outIdx;
  Value passConfigs;
  Span outIdxSpan;
  Span passConfigsSpan;
};

struct FunctionObject : ObjectOf<ValueKind::Function> {
  std::string name; // "<lambda>" for one
  FunctionRole role = FunctionRole::Plain;
  MethodForm form = MethodForm::OfInstance;
  ClassObject *owner = nullptr; // the class in whose body it stands, or null
  llvm::ArrayRef<ast::Param> params;
  const ast::FunctionDefStmt *def = nullptr; // null for a lambda
  const ast::Expr *lambdaBody = nullptr;
  Closure closure;
  // One for each parameter. A function of the top level evaluates them when they are first needed.
  Values defaults;
  const ast::CallExpr *jitCall = nullptr; // `@tilelang.jit(...)`, for out_idx and pass_configs
  CompileOptions compiled;
  Span span;
};

struct BuiltinInfo;

struct BuiltinObject : ObjectOf<ValueKind::Builtin> {
  BuiltinObject(const BuiltinInfo &info, Value self) : info(info), self(self) {}
  const BuiltinInfo &info;
  Value self; // of a method; invalid for a function
};

struct BoundMethodObject : ObjectOf<ValueKind::BoundMethod> {
  BoundMethodObject(FunctionObject *function, Value self) : function(function), self(self) {}
  FunctionObject *function;
  Value self;
};

// A module that we know: "tilelang", "tilelang.language", "math", ...
struct NamespaceObject : ObjectOf<ValueKind::Namespace> {
  explicit NamespaceObject(llvm::StringRef path) : path(path) {}
  std::string path;
};

struct SourceModule;

// A file of the kernel's package, a folder of files, or both: a package with an `__init__.py`.
struct ModuleObject : ObjectOf<ValueKind::Module> {
  SourceModule *file = nullptr;
  std::string folder; // in which submodules are; "": none
};

// Something imported that is not evaluated; fails only when the kernel needs it.
struct OpaqueObject : ObjectOf<ValueKind::Opaque> {
  OpaqueObject(std::string path, Span importSpan) : path(std::move(path)), importSpan(importSpan) {}
  std::string path; // "torch.float16"
  Span importSpan;
  bool isUnfound = false; // a module that builtins.def lacks, looked for among files
};

struct ClassObject : ObjectOf<ValueKind::Class> {
  std::string name;
  Values bases;
  llvm::StringMap<Value> members;
  // What `@dataclass` and a base `Enum` make of it.
  bool isDataclass = false;
  bool isEnum = false;
  bool isNamedTuple = false;
  bool hasPlainMembers = false; // of an enumeration below `int` or `str`: they are their values
  bool hasPlainText = false;    // of one below `IntEnum` and its kind: so they are printed
  Values enumMembers;           // in the order of the body
  // Of a dataclass or a named tuple, those of its bases first.
  std::vector<std::string> fields;
};

struct InstanceObject : ObjectOf<ValueKind::Instance> {
  explicit InstanceObject(ClassObject *type) : type(type) {}
  ClassObject *type;
  llvm::StringMap<Value> attributes;
};

// What a call of a function with `yield` gives, and any other iterator: one whose values are known.
struct GeneratorObject : ObjectOf<ValueKind::Generator> {
  enum class State : uint8_t { Waiting, Running, Ended };
  // Null where `values` are all there is.
  FunctionObject *function = nullptr;
  Env *env = nullptr; // with its arguments
  Span span;          // of the call
  State state = State::Ended;
  // Not taken yet, from `taken` on.
  Values values;
  size_t taken = 0;
};

// `super()`: members of the bases of `type`.
struct SuperObject : ObjectOf<ValueKind::Super> {
  SuperObject(ClassObject *type, Value self) : type(type), self(self) {}
  ClassObject *type;
  Value self;
};

// A tensor that the file makes on its host, `torch.rand(m, k)`: its shape and type, no elements.
struct HostTensorObject : ObjectOf<ValueKind::HostTensor> {
  Values shape;
  Value dtype;
};

// `ValueError`
struct ExceptionTypeObject : ObjectOf<ValueKind::ExceptionType> {
  explicit ExceptionTypeObject(llvm::StringRef name) : name(name) {}
  std::string name;
};

// `ValueError("message")`
struct ExceptionObject : ObjectOf<ValueKind::Exception> {
  ExceptionObject(llvm::StringRef type, Values args) : type(type), args(std::move(args)) {}
  std::string type;
  Values args;
};

// `functools.partial(callee, *args, **keywords)`
struct PartialObject : ObjectOf<ValueKind::Partial> {
  Value callee;
  Values args;
  std::vector<std::pair<std::string, Value>> keywords;
  bool isField = false; // `dataclasses.field`: the callee makes the default, where there is one
};

struct BufferObject : ObjectOf<ValueKind::Buffer> {
  // Complete but for name, ordinal and (until annotated) layout; the kernel builder makes the IR's
  // buffer of it at the end.
  Buffer draft;
  // From the first assignment; empty before.
  std::string sourceName;
  std::optional<ReduceKind> reduction; // of a T.alloc_reducer
  int64_t lanes = 1;                   // of its elements: the last axis, unless 1
  bool isVariable = false;             // one vector, of T.alloc_var
  bool isMbarrier = false;             // of T.alloc_barrier, T.alloc_cluster_barrier
  bool isClusterBarrier = false; // of the latter: other blocks of the cluster may arrive there
  // Of a tensor: what is read outside of it; null: 0.
  const tilescope::Expr *outside = nullptr;
};

// `T.float16x2(a, b)` (vectors.h)
struct VectorObject : ObjectOf<ValueKind::Vector> {
  explicit VectorObject(std::vector<const tilescope::Expr *> lanes) : lanes(std::move(lanes)) {}
  std::vector<const tilescope::Expr *> lanes; // two or more, of one type
};

// One axis of an access. A point is an axis that was indexed, not sliced.
struct Axis {
  const tilescope::Expr *start = nullptr;
  const tilescope::Expr *extent = nullptr;
  bool isPoint = false;
};

struct RegionObject : ObjectOf<ValueKind::Region> {
  BufferObject *buffer = nullptr;
  std::vector<Axis> axes;   // one for each dimension
  bool isReference = false; // one element, passed as a T.Ref
};

// `T.comm_reducer(...)`
struct CombinerObject : ObjectOf<ValueKind::Combiner> {
  explicit CombinerObject(ReduceKind reduction) : reduction(reduction) {}
  ReduceKind reduction;
};

// `with T.attr(combiner, "reduce_scope", ...)`: how threads reduce inside of it; `with T.If(x)`,
// `T.Then()` and `T.Else()`: an `if`; or what says nothing about what is inside.
struct AttributeObject : ObjectOf<ValueKind::Attribute> {
  enum class Branch : uint8_t { None, If, Then, Else };
  explicit AttributeObject(std::optional<ReduceKind> reduction = {}) : reduction(reduction) {}
  AttributeObject(Branch branch, Value condition) : branch(branch), condition(condition) {}
  std::optional<ReduceKind> reduction;
  Branch branch = Branch::None;
  Value condition; // of an If
};

// `T.Tensor((M, K), dtype)` as an annotation, or `T.empty(...)`.
struct TensorTypeObject : ObjectOf<ValueKind::TensorType> {
  std::vector<const tilescope::Expr *> shape;
  std::vector<const tilescope::Expr *> strides; // empty: contiguous
  DType dtype;
  int64_t lanes = 1;     // of its elements; the buffer has them as one axis more
  bool isOutput = false; // made by T.empty
  bool isTable = false;  // its elements are pointers; `dtype` says nothing
};

// A parameter of an eager kernel that waits for its annotation.
struct TensorArgumentObject : ObjectOf<ValueKind::TensorArgument> {
  TensorArgumentObject(const ast::Param &param, size_t position)
      : param(param), position(position) {}
  const ast::Param &param;
  size_t position;
};

// `A.data`, T.access_ptr(...), or a parameter that is a pointer, until T.make_tensor says what it
// points to.
struct PointerObject : ObjectOf<ValueKind::Pointer> {
  BufferObject *buffer = nullptr; // null: not said yet
  size_t position = 0;            // of the parameter
  // What is accessed through it; empty: anything in the buffer, as far as is known.
  std::vector<Axis> axes;
  const tilescope::Expr *offset = nullptr; // elements behind the first of that; null: none
  Effect effect = Effect::ReadWrite;
  // A parameter that is a table of pointers: how many there are. Or one of those, and which.
  std::vector<const tilescope::Expr *> table;
  PointerObject *tableOf = nullptr;
  std::vector<const tilescope::Expr *> row;
};

// What `for` runs over in a kernel: one loop, or a nest (`T.grid`, `T.Parallel`).
struct LoopObject : ObjectOf<ValueKind::Loop> {
  enum class Form : uint8_t { Serial, Unrolled, Vectorized, Pipelined, Parallel, Grid, Persistent };
  Form form = Form::Serial;
  const tilescope::Expr *start = nullptr;       // one loop only
  int64_t step = 1;                             // one loop only
  const tilescope::Expr *stride = nullptr;      // a step that is not constant, above 0
  std::vector<const tilescope::Expr *> extents; // iterations
  int64_t numStages = 0;
  std::vector<int64_t> order;
  std::vector<int64_t> stage;
  int64_t coalescedWidth = 0;
  const Layout *layout = nullptr; // of a parallel loop, where the kernel gives it
  // Of a persistent loop, which has no extents (persistent_loop.h).
  Values domain;
  Value waveSize, firstTile, groupSize;
};

// `T.Kernel(...)`
struct LaunchObject : ObjectOf<ValueKind::Launch> {
  std::vector<const tilescope::Expr *> gridExtents;
  llvm::SmallVector<int64_t, 3> threads = {128}; // x, y, z of a block
  llvm::SmallVector<int64_t, 3> cluster;         // Launch::cluster
};

// `T.ws(...)`: threads [firstThread, firstThread + threads).
struct RoleObject : ObjectOf<ValueKind::Role> {
  RoleObject(int64_t firstThread, int64_t threads) : firstThread(firstThread), threads(threads) {}
  int64_t firstThread, threads;
};

struct LayoutObject : ObjectOf<ValueKind::Layout> {
  // Null: a layout that we cannot express; `what` says which.
  const Layout *layout = nullptr;
  FunctionObject *order = nullptr;  // the function of coordinates that gives it; null: none
  llvm::SmallVector<int64_t> shape; // that it is for, if it was given one
  std::string what;
};

// Owns objects and counts what they weigh. There is no collection: an evaluation is short, and
// bounded by EvalLimits::memoryBytes.
class Heap {
public:
  template <typename T, typename... Args> T *make(Args &&...args) {
    bytes_ += sizeof(T) + sizeof(void *);
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T *object = owned.get();
    objects_.push_back(std::move(owned));
    return object;
  }
  Value string(std::string text) {
    bytes_ += text.size();
    return make<StringObject>(std::move(text));
  }
  Value tuple(Values items) {
    bytes_ += items.size() * sizeof(Value);
    return make<TupleObject>(std::move(items));
  }
  Value list(Values items) {
    bytes_ += items.size() * sizeof(Value);
    return make<ListObject>(std::move(items));
  }
  void charge(uint64_t bytes) { bytes_ += bytes; }
  uint64_t bytes() const { return bytes_; }

private:
  std::vector<std::unique_ptr<Object>> objects_;
  uint64_t bytes_ = 0;
};

// "int", "list", "buffer", ...
std::string typeName(const Value &value);
// The same as a message says it: "an int", "None".
std::string phraseFor(const Value &value);
// Longest text of a value in a message or a record; what is cut ends in "...".
constexpr size_t MaxValueText = 4096;
// As Python prints it.
std::string reprOf(const Value &value, size_t maxBytes = MaxValueText);
std::string strOf(const Value &value, size_t maxBytes = MaxValueText);
// The same whole; nullopt when it is longer than `maxBytes` or nests too deep.
std::optional<std::string> wholeTextOf(const Value &value, bool asRepr, size_t maxBytes);
// Elements of a tuple, list or set; null for anything else.
const Values *sequenceItems(const Value &value);
// Of a member of an enumeration whose members are numbers or text, that; any other value itself.
Value plainOf(const Value &value);
// Text of a string or name of a dtype; nullopt for anything else.
std::optional<llvm::StringRef> textOf(const Value &value);
// Python's `==` for everything but expressions, which never compare equal here. Adds to `work` the
// bytes and elements that were looked at; nullopt, undecided, where that passes `maxWork`.
std::optional<bool> areEqual(const Value &a, const Value &b, uint64_t &work, uint64_t maxWork);
// Exact order of two numbers; nullopt where one is NaN.
std::optional<int> orderOfNumbers(const Value &a, const Value &b);
// Whether both are the same object (`is`).
bool areSame(const Value &a, const Value &b);
// May be a key of a dict.
bool isHashable(const Value &value);

} // namespace tilescope::frontend
