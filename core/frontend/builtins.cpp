#include "core/frontend/builtins.h"

#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

constexpr BuiltinInfo Table[] = {
#define BUILTIN(space, name, handler, params) {space, name, handler, params},
#define LANEWISE(space, name, handler, params) {space, name, handler, params, "", "", "", true},
#define IGNORED(space, name, params, why) {space, name, tileIgnore, params, "", "", "", false, why},
#define OWN(name, module) {"T", name, nullptr, "", "", "", module},
#define NOT_YET(space, name, targets, instead) {space, name, nullptr, "", targets, instead},
#include "core/frontend/builtins.def"
};

const llvm::StringMap<const BuiltinInfo *> &index() {
  static const llvm::StringMap<const BuiltinInfo *> Index = [] {
    llvm::StringMap<const BuiltinInfo *> index;
    for (const BuiltinInfo &info : Table)
      index[(info.space + "." + info.name).str()] = &info;
    return index;
  }();
  return Index;
}

// One parameter of a table line.
struct ParamSpec {
  llvm::StringRef name;
  bool isOptional = false;
  bool isVarArgs = false;
  bool isKeywordOnly = false;
  bool isKeywordArgs = false;
};

llvm::SmallVector<ParamSpec, 8> parseParams(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> pieces;
  text.split(pieces, ',', -1, false);
  llvm::SmallVector<ParamSpec, 8> params;
  bool isKeywordOnly = false;
  for (llvm::StringRef piece : pieces) {
    ParamSpec param;
    piece = piece.trim();
    param.isKeywordArgs = piece.consume_front("**");
    param.isVarArgs = !param.isKeywordArgs && piece.consume_front("*");
    param.isKeywordOnly = isKeywordOnly;
    isKeywordOnly |= param.isVarArgs;
    param.isOptional = piece.consume_back("?") || param.isVarArgs || param.isKeywordArgs;
    param.name = piece;
    if (!piece.empty())
      params.push_back(param);
  }
  return params;
}

} // namespace

const BuiltinInfo *findBuiltin(llvm::StringRef space, llvm::StringRef name) {
  return index().lookup((space + "." + name).str());
}

std::vector<const BuiltinInfo *> builtinsOf(llvm::StringRef space) {
  std::vector<const BuiltinInfo *> found;
  for (const BuiltinInfo &info : Table)
    if (info.space == space)
      found.push_back(&info);
  return found;
}

Value failNotYet(Evaluation &evaluation, const BuiltinInfo &info, Span span) {
  std::string name = (info.space + "." + info.name).str();
  if (info.targets.empty())
    evaluation.fail(DiagId::NotSupportedYet, span, name);
  else
    evaluation.fail(DiagId::NotOfThisTarget, span, name, info.targets);
  if (!info.instead.empty())
    evaluation.note(span, ("instead: " + info.instead).str());
  return Value();
}

llvm::StringRef closestName(llvm::StringRef space, llvm::StringRef name) {
  llvm::StringRef best;
  // A third of the letters may differ, and never more than two.
  unsigned bestDistance = std::min<unsigned>(static_cast<unsigned>(name.size()) / 3, 2) + 1;
  for (const BuiltinInfo &info : Table) {
    if (info.space != space)
      continue;
    unsigned distance = name.edit_distance_insensitive(info.name, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = info.name;
    }
  }
  return best;
}

// Whether members of enumerations that are numbers or text count as such: not where they are kept.
static bool takesPlainValues(const BuiltinInfo &info) {
  if (!info.space.empty())
    return llvm::is_contained({"T", "tvm.tirx", "math", "dtype", "str"}, info.space);
  return llvm::is_contained(
      {"abs", "bin", "chr", "divmod", "float", "hex", "int", "pow", "range", "round"}, info.name);
}

bool bindBuiltinArguments(Args &args, llvm::ArrayRef<std::pair<llvm::StringRef, Arg>> given) {
  llvm::SmallVector<ParamSpec, 8> params = parseParams(args.info.params);
  bool takesAnyKeyword = llvm::any_of(params, [](const ParamSpec &p) { return p.isKeywordArgs; });
  for (const ParamSpec &param : params)
    args.named_.push_back({param.name, {Value(), args.span}});
  size_t position = 0;
  for (const auto &[name, arg] : given) {
    auto slot = llvm::find_if(params, [&, &name = name](const ParamSpec &p) {
      return !p.isVarArgs && !p.isKeywordArgs && p.name == name;
    });
    if (name.empty()) {
      bool fits = position < params.size() && !params[position].isKeywordOnly &&
                  !params[position].isKeywordArgs;
      if (!fits)
        return args.evaluation.failed(DiagId::TooManyArguments, arg.span, args.callee(), position,
                                      args.info.params);
      if (params[position].isVarArgs)
        args.rest.push_back(arg);
      else
        args.named_[position++].second = arg;
      continue;
    }
    if (slot == params.end() && takesAnyKeyword) {
      args.named_.push_back({name, arg});
      continue;
    }
    if (slot == params.end()) {
      std::vector<std::string> names;
      for (const ParamSpec &param : params)
        names.push_back(param.name.str());
      args.evaluation.fail(DiagId::UnknownKeyword, arg.span, args.callee(), name, args.info.params);
      args.evaluation.suggestKeyword(name, names, arg.span);
      return false;
    }
    Arg &target = args.named_[slot - params.begin()].second;
    if (target.value)
      return args.evaluation.failed(DiagId::ArgumentGivenTwice, arg.span, args.callee(), name);
    target = arg;
  }
  for (size_t i = 0; i < params.size(); ++i)
    if (!params[i].isOptional && !args.named_[i].second.value)
      return args.evaluation.failed(DiagId::ArgumentMissing, args.span, args.callee(),
                                    params[i].name, args.info.params);
  if (!takesPlainValues(args.info))
    return true;
  for (auto &[name, arg] : args.named_)
    arg.value = plainOf(arg.value);
  for (Arg &arg : args.rest)
    arg.value = plainOf(arg.value);
  return true;
}

const Arg &Args::at(llvm::StringRef param) const {
  for (const auto &[name, arg] : named_)
    if (name == param)
      return arg;
  assert(false && "parameter is not declared in builtins.def");
  return named_.front().second;
}

llvm::ArrayRef<std::pair<llvm::StringRef, Arg>> Args::keywords() const { return named_; }

std::string Args::callee() const {
  return (info.space.empty() ? info.name.str() : (info.space + "." + info.name).str());
}

Value Args::wrongType(llvm::StringRef param, llvm::StringRef wanted) const {
  // Of an integer its type may be fine, and its value be none that is meant.
  Value given = (*this)[param];
  return evaluation.fail(DiagId::WrongArgument, spanOf(param), callee(), param, wanted,
                         given.isInt() ? "the int " + std::to_string(given.asInt())
                                       : phraseFor(given));
}

std::optional<int64_t> Args::integer(llvm::StringRef param, int64_t fallback) const {
  if (!has(param))
    return fallback;
  if ((*this)[param].isIntegral())
    return (*this)[param].asInt();
  wrongType(param, "an integer known at compile time");
  return std::nullopt;
}

std::optional<double> Args::number(llvm::StringRef param, double fallback) const {
  if (!has(param))
    return fallback;
  if ((*this)[param].isNumber())
    return (*this)[param].asDouble();
  wrongType(param, "a number known at compile time");
  return std::nullopt;
}

std::optional<bool> Args::boolean(llvm::StringRef param, bool fallback) const {
  if (!has(param))
    return fallback;
  if ((*this)[param].isIntegral())
    return (*this)[param].asInt() != 0;
  wrongType(param, "True or False");
  return std::nullopt;
}

std::optional<std::string> Args::text(llvm::StringRef param, std::string fallback) const {
  if (!has(param))
    return fallback;
  if (std::optional<llvm::StringRef> text = textOf((*this)[param]))
    return text->str();
  wrongType(param, "a string");
  return std::nullopt;
}

std::optional<DType> Args::dtype(llvm::StringRef param, DType fallback) const {
  return has(param) ? toDType(evaluation, (*this)[param], spanOf(param)) : fallback;
}

std::optional<std::vector<int64_t>> Args::integers(llvm::StringRef param) const {
  std::vector<int64_t> out;
  if (!has(param))
    return out;
  const Values *items = sequenceItems((*this)[param]);
  bool areIntegers =
      items && llvm::all_of(*items, [](const Value &item) { return item.isIntegral(); });
  if (!areIntegers) {
    wrongType(param, "a list of integers");
    return std::nullopt;
  }
  for (const Value &item : *items)
    out.push_back(item.asInt());
  return out;
}

bool Args::refuse(llvm::ArrayRef<llvm::StringRef> params) const {
  for (llvm::StringRef param : params) {
    bool isGiven = has(param) && (!(*this)[param].isBool() || (*this)[param].asBool());
    if (isGiven)
      return evaluation.failed(DiagId::NotSupportedYet, spanOf(param),
                               ("'" + param + "' of " + callee()).str());
  }
  return true;
}

} // namespace tilescope::frontend
