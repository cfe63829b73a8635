// `super` and named tuples.
#include "core/frontend/builtins.h"
#include "core/frontend/collections.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/functions.h"
#include "core/frontend/iteration.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

// Without arguments: of the class in whose body the running function stands.
Value pySuper(Args &args) {
  Evaluation &evaluation = args.evaluation;
  if (args.has("type") && args.has("object")) {
    auto *type = args["type"].as<ClassObject>();
    return type ? Value(evaluation.heap.make<SuperObject>(type, args["object"]))
                : args.wrongType("type", "a class");
  }
  for (Env *env = evaluation.names.env; env; env = env->parent) {
    if (!env->function)
      continue;
    const FunctionObject &function = *env->function;
    if (!function.owner || function.params.empty())
      break;
    return evaluation.heap.make<SuperObject>(function.owner,
                                             env->names.lookup(function.params[0].name));
  }
  return evaluation.fail(DiagId::NotSupportedYet, args.span, "'super()' outside of a method");
}

// Of a class without one.
Value superInit(Args &args) {
  const auto &object = *args.self.as<SuperObject>();
  bool takesFields = llvm::any_of(object.type->bases, [](const Value &base) {
    const auto *type = base.as<ClassObject>();
    return base.is(ValueKind::ExceptionType) || (type && (type->isDataclass || type->isNamedTuple));
  });
  if (takesFields)
    return args.evaluation.fail(DiagId::NotSupportedYet, args.span,
                                "'super().__init__' of a data class or an exception");
  return Value::none();
}

// `field(default=4)`, `field(default_factory=list)`: where a data class declares what a field is
// that no argument gives.
Value dataclassField(Args &args) {
  if (args.at("default").value)
    return args["default"];
  if (args.has("init") && args["init"].isBool() && !args["init"].asBool())
    return args.evaluation.fail(DiagId::NotSupportedYet, args.spanOf("init"),
                                "a field that is no parameter");
  auto *field = args.evaluation.heap.make<PartialObject>();
  field->isField = true;
  field->callee = args["default_factory"];
  return field;
}

// `replace(config, block=32)`: another object, with some fields changed.
Value dataclassReplace(Args &args) {
  Evaluation &evaluation = args.evaluation;
  const auto *object = args["obj"].as<InstanceObject>();
  if (!object || !object->type->isDataclass)
    return args.wrongType("obj", "an object of a data class");
  llvm::SmallVector<Argument, 8> arguments;
  for (const auto &[name, arg] : args.keywords())
    if (arg.value && name != "obj")
      arguments.push_back({name, arg.value, arg.span});
  for (const std::string &field : object->type->fields)
    if (llvm::none_of(arguments, [&](const Argument &a) { return a.name == field; }))
      arguments.push_back({field, object->attributes.lookup(field), args.span});
  return instantiate(evaluation, *object->type, arguments, args.span);
}

// `namedtuple("Tile", "m n")`, `namedtuple("Tile", ["m", "n"], defaults=(64,))`
Value namedTuple(Args &args) {
  Evaluation &evaluation = args.evaluation;
  std::optional<std::string> name = args.text("typename");
  if (!name)
    return Value();
  auto *type = evaluation.heap.make<ClassObject>();
  type->name = std::move(*name);
  type->isNamedTuple = true;
  if (std::optional<llvm::StringRef> names = textOf(args["field_names"])) {
    llvm::SmallVector<llvm::StringRef, 8> words;
    std::string spaced = names->str();
    std::replace(spaced.begin(), spaced.end(), ',', ' ');
    llvm::StringRef(spaced).split(words, ' ', -1, false);
    for (llvm::StringRef word : words)
      type->fields.push_back(word.str());
  } else {
    std::optional<Values> items = toList(evaluation, args["field_names"], args.span);
    for (const Value &item : items.value_or(Values()))
      type->fields.push_back(strOf(item));
    if (!items)
      return Value();
  }
  if (!args.has("defaults"))
    return type;
  std::optional<Values> defaults = toList(evaluation, args["defaults"], args.span);
  if (!defaults || defaults->size() > type->fields.size())
    return defaults ? args.wrongType("defaults", "no longer than the fields") : Value();
  size_t first = type->fields.size() - defaults->size();
  for (size_t i = 0; i < defaults->size(); ++i)
    type->members[type->fields[first + i]] = (*defaults)[i];
  return type;
}

Value namedTupleReplace(Args &args) {
  const auto &tuple = *args.self.as<TupleObject>();
  llvm::SmallVector<Argument, 8> arguments;
  for (const auto &[keyword, arg] : args.keywords())
    if (arg.value)
      arguments.push_back({keyword, arg.value, arg.span});
  for (auto [field, item] : llvm::zip_equal(tuple.type->fields, tuple.items))
    if (llvm::none_of(arguments,
                      [&, &field = field](const Argument &a) { return a.name == field; }))
      arguments.push_back({field, item, args.span});
  return makeNamedTuple(args.evaluation, *tuple.type, arguments, args.span);
}

Value namedTupleAsDict(Args &args) {
  const auto &tuple = *args.self.as<TupleObject>();
  auto *dict = args.evaluation.heap.make<DictObject>();
  for (auto [field, item] : llvm::zip_equal(tuple.type->fields, tuple.items))
    if (!setItem(args.evaluation, *dict, args.evaluation.heap.string(field), item, args.span))
      return Value();
  return dict;
}

} // namespace tilescope::frontend
