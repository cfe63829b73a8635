#include "core/frontend/attributes.h"

#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/exceptions.h"
#include "core/frontend/functions.h"
#include "core/frontend/imports.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

namespace tilescope::frontend {

namespace {

constexpr std::pair<llvm::StringRef, llvm::StringRef> EnumMembers[] = {
#define ENUM_MEMBER(type, name) {type, name},
#include "core/frontend/builtins.def"
};

// Namespaces inside namespaces.
llvm::StringRef innerSpace(llvm::StringRef space, llvm::StringRef name) {
  if (space == "tilelang")
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Case("language", "T")
        .Case("layout", "tilelang.layout")
        .Cases("math", "utils", "transform", "tilelang")
        .Case("PassConfigKey", "PassConfigKey")
        .Case("tvm", "tvm")
        .Default("");
  if (space == "torch")
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Case("cuda", "torch.cuda")
        .Case("version", "torch.version")
        .Default("");
  if (space == "T" && name == "GemmWarpPolicy")
    return "T.GemmWarpPolicy";
  // TileLang's name while it was a part of TVM.
  if (space == "tvm" && name == "tl")
    return "tilelang";
  if (space == "tvm" && name == "te")
    return "tvm.te";
  bool isTir = name == "tirx" || name == "tir";
  if (isTir && (space == "tvm" || space == "T"))
    return "tvm.tirx";
  return "";
}

std::optional<double> mathConstant(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<double>>(name)
      .Case("pi", 3.14159265358979323846)
      .Case("e", 2.71828182845904523536)
      .Case("tau", 6.28318530717958647692)
      .Case("inf", HUGE_VAL)
      .Case("nan", std::nan(""))
      .Default(std::nullopt);
}

// The namespace of builtins.def that holds a type's methods.
llvm::StringRef methodSpace(const Value &object) {
  switch (object.kind()) {
  case ValueKind::Bool:
  case ValueKind::Int:
  case ValueKind::BigInt:
    return "int";
  case ValueKind::Float:
    return "float";
  case ValueKind::String:
  case ValueKind::DType:
    return "str";
  case ValueKind::List:
    return "list";
  case ValueKind::Tuple:
    return "tuple";
  case ValueKind::Super:
    return "super";
  case ValueKind::HostTensor:
    return "HostTensor";
  case ValueKind::Set:
    return "set";
  case ValueKind::Dict:
    return "dict";
  case ValueKind::Expr:
  case ValueKind::Vector:
    return "Expr";
  case ValueKind::Enum:
    return llvm::StringRef(object.as<EnumObject>()->type) == "T.GemmWarpPolicy" ? "GemmWarpPolicy"
                                                                                : "";
  default:
    return "";
  }
}

// What `__name__` of a class or function is; empty for anything else.
std::string nameOfType(const Value &value) {
  if (const auto *type = value.as<ClassObject>())
    return type->name;
  if (const auto *type = value.as<ExceptionTypeObject>())
    return type->name;
  if (const auto *function = value.as<FunctionObject>())
    return function->name;
  const auto *builtin = value.as<BuiltinObject>();
  return builtin ? builtin->info.name.str() : "";
}

} // namespace

Value namespaceMember(Evaluation &evaluation, llvm::StringRef space, llvm::StringRef name,
                      Span span) {
  if (space == "PassConfigKey")
    return evaluation.heap.make<EnumObject>(space, name);
  for (const auto &[type, member] : EnumMembers)
    if (space == type && name == member)
      return evaluation.heap.make<EnumObject>(type, member);
  const BuiltinInfo *info = findBuiltin(space, name);
  if (info && !info->ownModule.empty())
    if (Value own = memberOfOwn(evaluation, info->ownModule, name))
      return own;
  if (info)
    return evaluation.heap.make<BuiltinObject>(*info, Value());
  if (llvm::StringRef inner = innerSpace(space, name); !inner.empty())
    return evaluation.heap.make<NamespaceObject>(inner);
  // Of PyTorch for AMD's GPUs.
  if (space == "torch.version" && name == "hip")
    return Value::none();
  if (space == "math")
    if (std::optional<double> constant = mathConstant(name))
      return Value::floating(*constant);
  if (space == "T")
    if (std::optional<VectorType> dtype = parseVectorType(name))
      return dtypeOf(evaluation, *dtype);
  if (space.empty() && isExceptionName(name))
    return evaluation.heap.make<ExceptionTypeObject>(name);
  if (space.empty() && (name == "object" || name == "property"))
    return evaluation.heap.make<OpaqueObject>(name.str(), span);
  if (space.empty() && name == "__name__")
    return evaluation.heap.string("kernel");
  return Value();
}

static Value namespaceAttribute(Evaluation &evaluation, NamespaceObject &object,
                                llvm::StringRef name, Span span) {
  if (Value member = namespaceMember(evaluation, object.path, name, span))
    return member;
  // Much of the package serves the host; it is an error only when a kernel needs it.
  bool isPartlyKnown = object.path != "math" && object.path != "T";
  if (isPartlyKnown && !llvm::StringRef(object.path).starts_with("T."))
    return evaluation.heap.make<OpaqueObject>(object.path + "." + name.str(), span);
  evaluation.fail(DiagId::UnknownMember, span, object.path, name);
  if (llvm::StringRef close = closestName(object.path, name); !close.empty())
    evaluation.suggestName(name, close, object.path + ".", span);
  std::vector<std::string> members;
  for (const auto &[type, member] : EnumMembers)
    if (object.path == type)
      members.push_back(member.str());
  evaluation.suggest(name, members, span);
  return Value();
}

static Value dtypeAttribute(DTypeObject &object, llvm::StringRef name) {
  if (name == "bits")
    return Value::integer(object.dtype.bits);
  if (name == "bytes" || name == "itemsize")
    return Value::integer(object.dtype.bytes(object.lanes));
  if (name == "lanes")
    return Value::integer(object.lanes);
  return Value();
}

static Value bufferAttribute(Evaluation &evaluation, BufferObject &buffer, llvm::StringRef name,
                             Span span) {
  const Buffer &draft = buffer.draft;
  size_t rank = draft.shape.size() - (buffer.lanes > 1);
  if (name == "shape" || name == "strides") {
    Values items;
    for (const Expr *extent : name == "shape" ? draft.shape.take_front(rank) : draft.strides)
      items.push_back(Value::expr(extent));
    return evaluation.heap.tuple(std::move(items));
  }
  if (name == "dtype")
    return dtypeOf(evaluation, {draft.dtype, buffer.lanes});
  if (name == "ndim")
    return Value::integer(static_cast<int64_t>(rank));
  if (name == "name")
    return evaluation.heap.string(buffer.sourceName);
  if (name == "data") {
    auto *pointer = evaluation.heap.make<PointerObject>();
    pointer->buffer = &buffer;
    return pointer;
  }
  if (const BuiltinInfo *method = findBuiltin("Buffer", name))
    return evaluation.heap.make<BuiltinObject>(*method, &buffer);
  return evaluation.fail(DiagId::NoAttribute, span, "a buffer", name);
}

// A member of a class as one reads it from `self`; from the class itself: `self` is invalid.
static Value bindMember(Evaluation &evaluation, Value member, Value self, ClassObject &type,
                        Span span) {
  auto *function = member.as<FunctionObject>();
  if (!function || function->form == MethodForm::Static)
    return member;
  if (function->form == MethodForm::OfClass)
    return evaluation.heap.make<BoundMethodObject>(function, &type);
  if (!self)
    return member;
  if (function->form == MethodForm::Property)
    return callWithOwnScope(evaluation, *function, Argument{"", self, span}, span);
  return evaluation.heap.make<BoundMethodObject>(function, self);
}

// Fields and methods of a named tuple; invalid, without a report, if there is no such name.
static Value namedTupleAttribute(Evaluation &evaluation, TupleObject &tuple, llvm::StringRef name,
                                 Span span) {
  auto field = llvm::find(tuple.type->fields, name);
  if (field != tuple.type->fields.end())
    return tuple.items[static_cast<size_t>(field - tuple.type->fields.begin())];
  if (Value member = memberOf(*tuple.type, name))
    return bindMember(evaluation, member, &tuple, *tuple.type, span);
  const BuiltinInfo *info = findBuiltin("namedtuple", name);
  return info ? evaluation.heap.make<BuiltinObject>(*info, &tuple) : Value();
}

// Of the bases of the class in whose function `super()` stands.
static Value superAttribute(Evaluation &evaluation, SuperObject &object, llvm::StringRef name,
                            Span span) {
  for (const Value &base : object.type->bases)
    if (auto *type = base.as<ClassObject>())
      if (Value member = memberOf(*type, name))
        return bindMember(evaluation, member, object.self, *type, span);
  if (const BuiltinInfo *info = findBuiltin("super", name))
    return evaluation.heap.make<BuiltinObject>(*info, &object);
  return evaluation.fail(DiagId::NoAttribute, span, "'super()'", name);
}

static Value hostTensorAttribute(Evaluation &evaluation, HostTensorObject &tensor,
                                 llvm::StringRef name, Span span) {
  if (name == "shape")
    return evaluation.heap.tuple(tensor.shape);
  if (name == "dtype" && tensor.dtype)
    return tensor.dtype;
  if (name == "ndim")
    return Value::integer(static_cast<int64_t>(tensor.shape.size()));
  if (const BuiltinInfo *info = findBuiltin("HostTensor", name))
    return evaluation.heap.make<BuiltinObject>(*info, &tensor);
  return evaluation.heap.make<OpaqueObject>("torch.Tensor." + name.str(), span);
}

// Invalid, without a report, if there is no such name.
static Value enumAttribute(Evaluation &evaluation, EnumObject &member, llvm::StringRef name,
                           Span span) {
  if (name == "value" && member.value)
    return member.value;
  if (name == "name" || name == "value")
    return evaluation.heap.string(member.name);
  Value own = member.owner ? memberOf(*member.owner, name) : Value();
  return own ? bindMember(evaluation, own, &member, *member.owner, span) : Value();
}

static Value instanceAttribute(Evaluation &evaluation, InstanceObject &instance,
                               llvm::StringRef name, Span span) {
  if (auto found = instance.attributes.find(name); found != instance.attributes.end())
    return found->second;
  if (Value member = memberOf(*instance.type, name))
    return bindMember(evaluation, member, &instance, *instance.type, span);
  return evaluation.fail(DiagId::NoAttribute, span, phraseFor(Value(&instance)), name);
}

Value attribute(Evaluation &evaluation, Value object, llvm::StringRef name, Span span) {
  if (auto *space = object.as<NamespaceObject>())
    return namespaceAttribute(evaluation, *space, name, span);
  if (auto *module = object.as<ModuleObject>())
    return memberOfModule(evaluation, *module, name, span);
  if (auto *opaque = object.as<OpaqueObject>()) {
    auto *member =
        evaluation.heap.make<OpaqueObject>(opaque->path + "." + name.str(), opaque->importSpan);
    member->isUnfound = opaque->isUnfound;
    return member;
  }
  if (auto *buffer = object.as<BufferObject>())
    return bufferAttribute(evaluation, *buffer, name, span);
  if (auto *region = object.as<RegionObject>(); region && name == "buffer")
    return region->buffer;
  if (auto *instance = object.as<InstanceObject>())
    return instanceAttribute(evaluation, *instance, name, span);
  if (auto *type = object.as<ClassObject>())
    if (Value member = memberOf(*type, name))
      return bindMember(evaluation, member, Value(), *type, span);
  if (auto *tuple = object.as<TupleObject>(); tuple && tuple->type)
    if (Value member = namedTupleAttribute(evaluation, *tuple, name, span))
      return member;
  if (auto *super = object.as<SuperObject>())
    return superAttribute(evaluation, *super, name, span);
  if (auto *tensor = object.as<HostTensorObject>())
    return hostTensorAttribute(evaluation, *tensor, name, span);
  if (auto *dtype = object.as<DTypeObject>())
    if (Value known = dtypeAttribute(*dtype, name))
      return known;
  if (const auto *vector = object.as<VectorObject>(); vector && name == "dtype")
    return dtypeOf(evaluation, typeOf(*vector));
  if (object.isExpr() && name == "dtype")
    return evaluation.heap.make<DTypeObject>(object.asExpr()->dtype());
  if (auto *member = object.as<EnumObject>())
    if (Value known = enumAttribute(evaluation, *member, name, span))
      return known;
  if (auto *exception = object.as<ExceptionObject>(); exception && name == "args")
    return evaluation.heap.tuple(exception->args);
  if (std::string own = nameOfType(object); !own.empty() && name == "__name__")
    return evaluation.heap.string(own);
  if (auto *tensor = object.as<TensorArgumentObject>())
    return evaluation.fail(DiagId::TensorNotDeclared, span, tensor->param.name);
  Value plain = plainOf(object);
  llvm::StringRef methods = methodSpace(plain);
  if (const BuiltinInfo *info = methods.empty() ? nullptr : findBuiltin(methods, name))
    return evaluation.heap.make<BuiltinObject>(*info, plain);
  if (const auto *builtin = object.as<BuiltinObject>(); builtin && !builtin->info.handler)
    return failNotYet(evaluation, builtin->info, span);
  // A dtype of TileLang is a string, and an argument may be the name of one.
  if (std::optional<llvm::StringRef> text = textOf(object))
    if (std::optional<VectorType> dtype = parseVectorType(*text))
      if (Value known = dtypeAttribute(*dtypeOf(evaluation, *dtype).as<DTypeObject>(), name))
        return known;
  return evaluation.fail(DiagId::NoAttribute, span, phraseFor(object), name);
}

bool hasAttribute(Evaluation &evaluation, Value object, llvm::StringRef name) {
  Diagnostics unread;
  Diagnostics &reported = evaluation.reportTo(unread);
  llvm::SaveAndRestore isDead(evaluation.isDead);
  bool isFound = static_cast<bool>(attribute(evaluation, object, name, Span()));
  evaluation.reportTo(reported);
  return isFound;
}

} // namespace tilescope::frontend
