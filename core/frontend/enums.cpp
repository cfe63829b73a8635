#include "core/frontend/enums.h"

#include "core/frontend/builtins.h"
#include "core/frontend/operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

// What `auto()` gives until its class is made.
constexpr llvm::StringRef Automatic = "enum.auto()";

constexpr llvm::StringRef Known[] = {"enum.Enum", "enum.IntEnum", "enum.IntFlag", "enum.StrEnum",
                                     "int",       "str",          "object"};

// Deeper chains of bases than anyone writes.
constexpr unsigned MaxBaseDepth = 20;

// What a class is made of in the end: "enum.IntEnum", "int", ...
void collectBases(const ClassObject &type, std::vector<std::string> &names, unsigned depth = 0) {
  for (const Value &base : type.bases)
    if (const auto *opaque = base.as<OpaqueObject>())
      names.push_back(opaque->path);
    else if (const auto *builtin = base.as<BuiltinObject>())
      names.push_back(builtin->info.name.str());
    else if (const auto *own = base.as<ClassObject>(); own && depth < MaxBaseDepth)
      collectBases(*own, names, depth + 1);
    else
      names.push_back(phraseFor(base));
}

// The names that may be members, in the order in which the body assigns them.
std::vector<std::string> namesOfMembers(const ClassObject &type, const ast::ClassDefStmt &def) {
  std::vector<std::string> names;
  for (const ast::Stmt *stmt : def.body)
    if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
      for (const ast::Expr *target : assign->targets)
        if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target))
          names.push_back(name->name.str());
  llvm::erase_if(names, [&](llvm::StringRef name) {
    auto found = type.members.find(name);
    return name.starts_with("_") || found == type.members.end() ||
           found->second.is(ValueKind::Function);
  });
  return names;
}

enum class Counting : uint8_t { Numbers, Flags, Names };

// Behind the largest of the members so far; for flags the first bit above it.
Value automaticValue(Evaluation &evaluation, Counting counting, llvm::StringRef name,
                     const Values &members, Span span) {
  constexpr int64_t Largest = int64_t(1) << 61;
  if (counting == Counting::Names)
    return evaluation.heap.string(name.lower());
  if (members.empty())
    return Value::integer(1);
  int64_t last = INT64_MIN;
  for (const Value &member : members) {
    Value value = member.as<EnumObject>()->value;
    bool isInside = value.isIntegral() && value.asInt() < Largest &&
                    value.asInt() >= (counting == Counting::Flags ? 0 : -Largest);
    if (!isInside)
      return evaluation.fail(DiagId::NotSupportedYet, span, "'auto()' behind " + reprOf(value));
    last = std::max(last, value.asInt());
  }
  bool isFlag = counting == Counting::Flags && last > 0;
  return Value::integer(isFlag ? int64_t(1) << (64 - __builtin_clzll(static_cast<uint64_t>(last)))
                               : last + 1);
}

// What a class says of its members itself, beside how they are printed, is nothing that we ask for.
bool hasOwnRules(Evaluation &evaluation, const ClassObject &type, Span span, unsigned depth = 0) {
  for (const auto &member : type.members) {
    llvm::StringRef name = member.first();
    bool isSpecial =
        name.starts_with("__") && name.ends_with("__") && member.second.is(ValueKind::Function);
    bool isOfText = llvm::is_contained({"__str__", "__repr__", "__format__", "__hash__"}, name);
    if ((isSpecial && !isOfText) || name == "_generate_next_value_" || name == "_ignore_")
      return !evaluation.failed(DiagId::NotSupportedYet, span,
                                ("'" + name + "' of an enumeration").str());
  }
  return depth < MaxBaseDepth && llvm::any_of(
                                     type.bases,
                                     [&](const Value &base) {
                                       const auto *own = base.as<ClassObject>();
                                       return own && hasOwnRules(evaluation, *own, span, depth + 1);
                                     });
}

// Reports a value that the base would make another of.
bool isOfBase(Evaluation &evaluation, const Value &value, bool isNumber, bool isText, Span span) {
  bool isFine = (!isNumber || value.isIntegral() || value.isBigInt()) && (!isText || textOf(value));
  return isFine || evaluation.failed(DiagId::WrongType, span,
                                     isText ? "text as a member" : "an integer as a member",
                                     phraseFor(value));
}

} // namespace

bool isEnumBase(const Value &base) {
  const auto *opaque = base.as<OpaqueObject>();
  const auto *type = base.as<ClassObject>();
  return (opaque && llvm::StringRef(opaque->path).starts_with("enum.")) || (type && type->isEnum);
}

bool makeEnum(Evaluation &evaluation, ClassObject &type, const ast::ClassDefStmt &def) {
  std::vector<std::string> bases;
  collectBases(type, bases);
  auto has = [&](llvm::StringRef name) { return llvm::is_contained(bases, name); };
  for (const std::string &name : bases)
    if (!llvm::is_contained(Known, name))
      return evaluation.failed(DiagId::NotSupportedYet, def.nameSpan,
                               "a class below '" + name + "'");
  bool isNumber = has("int") || has("enum.IntEnum") || has("enum.IntFlag");
  bool isText = has("str") || has("enum.StrEnum");
  Counting counting = has("enum.StrEnum")   ? Counting::Names
                      : has("enum.IntFlag") ? Counting::Flags
                                            : Counting::Numbers;
  type.isEnum = true;
  type.hasPlainMembers = isNumber || isText;
  // Python prints those that mix `int` or `str` with `Enum` themselves by name.
  type.hasPlainText = has("enum.IntEnum") || has("enum.IntFlag") || has("enum.StrEnum");
  if (hasOwnRules(evaluation, type, def.nameSpan))
    return false;
  for (const std::string &name : namesOfMembers(type, def)) {
    Value value = type.members[name];
    if (type.hasPlainMembers)
      value = plainOf(value); // of a member of another
    const auto *opaque = value.as<OpaqueObject>();
    if (opaque && opaque->path == Automatic)
      value = automaticValue(evaluation, counting, name, type.enumMembers, def.nameSpan);
    if (!value || !isOfBase(evaluation, value, isNumber, isText, def.nameSpan))
      return false;
    auto same = llvm::find_if(type.enumMembers, [&](const Value &member) {
      return areEqual(evaluation, member.as<EnumObject>()->value, value);
    });
    if (same != type.enumMembers.end()) { // a second name of that member
      type.members[name] = *same;
      continue;
    }
    auto *member = evaluation.heap.make<EnumObject>(type.name, name);
    member->owner = &type;
    member->value = value;
    type.members[name] = member;
    type.enumMembers.push_back(member);
  }
  return !evaluation.isDead;
}

Value enumMemberOf(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                   Span span) {
  if (arguments.size() != 1)
    return evaluation.fail(DiagId::ArgumentMissing, span, type.name, "value", "value");
  Value wanted = arguments.front().value;
  for (const Value &member : type.enumMembers)
    if (member.object() == wanted.object() ||
        areEqual(evaluation, member.as<EnumObject>()->value, wanted))
      return member;
  return evaluation.fail(DiagId::ItemNotFound, span, reprOf(wanted));
}

const Values *enumMembers(const Value &type) {
  const auto *object = type.as<ClassObject>();
  return object && object->isEnum ? &object->enumMembers : nullptr;
}

Value enumAuto(Args &args) {
  return args.evaluation.heap.make<OpaqueObject>(Automatic.str(), args.span);
}

} // namespace tilescope::frontend
