#include "core/pass/pass_options.h"

#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

llvm::Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

template <typename Range> std::string namesOf(const Range &range) {
  return llvm::join(llvm::map_range(range, [](const auto &item) { return item.name.str(); }), ", ");
}

template <typename Range> std::string suggestion(llvm::StringRef name, const Range &range) {
  std::vector<std::string> names;
  names.reserve(range.size());
  for (const auto &item : range)
    names.push_back(item.name.str());
  return didYouMean(name, names);
}

bool assign(const PassOption &option, llvm::StringRef text) {
  if (auto *const *flag = std::get_if<bool *>(&option.value)) {
    if (text != "true" && text != "false")
      return false;
    **flag = text == "true";
    return true;
  }
  if (auto *const *number = std::get_if<int64_t *>(&option.value)) { // a count or a limit
    int64_t value = 0;
    if (text.getAsInteger(10, value) || value < 0)
      return false;
    **number = value;
    return true;
  }
  if (text.find_first_of(",{}()") != llvm::StringRef::npos) // they end it in a pipeline's text
    return false;
  *std::get<std::string *>(option.value) = text.str();
  return true;
}

// "a=1,b=2" without b.
std::string without(llvm::StringRef options, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> parts;
  options.split(parts, ',', -1, /*KeepEmpty=*/false);
  llvm::erase_if(parts, [&](llvm::StringRef part) { return part.split('=').first == name; });
  return llvm::join(parts, ",");
}

llvm::Expected<PassInstance> parsePass(llvm::StringRef text, llvm::ArrayRef<PassInfo> registry) {
  auto [name, settings] = text.split('{');
  name = name.trim();
  if (name.empty())
    return failure("a pass without a name; write 'a,b{option=value}'");
  const PassInfo *info =
      llvm::find_if(registry, [&](const PassInfo &candidate) { return candidate.name == name; });
  if (info == registry.end())
    return failure("unknown pass '" + name + "'; passes are: " + namesOf(registry) +
                   suggestion(name, registry));
  PassInstance instance{info, info->create(), "", info->name.str(), {}};
  if (text.contains('{') && !settings.consume_back("}"))
    return failure("missing '}' after the options of pass '" + name + "'");
  llvm::SmallVector<llvm::StringRef> parts;
  settings.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef setting : parts) {
    auto [option, value] = setting.split('=');
    if (llvm::Error error = setPassOption(instance, option.trim(), value.trim()))
      return error;
  }
  return instance;
}

// Splits at commas outside of braces and parentheses.
llvm::SmallVector<llvm::StringRef> splitPasses(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    } else {
      depth += llvm::StringRef("{(").contains(text[i]);
      depth -= llvm::StringRef("})").contains(text[i]);
    }
  }
  return parts;
}

// "tidy(simplify,vectorize)"
llvm::Expected<PassInstance> parseGroup(llvm::StringRef text, llvm::ArrayRef<PassInfo> registry) {
  auto [name, passes] = text.split('(');
  PassInstance group;
  group.name = name.trim().str();
  bool isPass = llvm::any_of(
      registry, [&](const PassInfo &candidate) { return candidate.name == group.name; });
  if (group.name.empty() || isPass)
    return failure("'" + text + "' needs the name of a group, which is no pass's, before '('");
  if (!passes.consume_back(")"))
    return failure("missing ')' after the passes of group '" + group.name + "'");
  llvm::Expected<std::vector<PassInstance>> nested = parsePassPipeline(passes, registry);
  if (!nested)
    return nested.takeError();
  group.nested = std::move(*nested);
  return group;
}

void addNames(llvm::StringRef text, int depth, std::vector<NamedPass> &names) {
  if (text.trim().empty())
    return;
  for (llvm::StringRef part : splitPasses(text)) {
    size_t end = part.find_first_of("({");
    if (end != llvm::StringRef::npos && part[end] == '(')
      addNames(part.drop_front(end + 1).drop_back(), depth + 1, names);
    names.push_back({part.take_front(end).trim().str(), depth});
  }
}

} // namespace

std::string valueText(const PassOption &option) {
  if (auto *const *flag = std::get_if<bool *>(&option.value))
    return **flag ? "true" : "false";
  if (auto *const *number = std::get_if<int64_t *>(&option.value))
    return std::to_string(**number);
  return *std::get<std::string *>(option.value);
}

llvm::StringRef typeName(const PassOption &option) {
  static constexpr const char *Names[] = {"bool", "int", "str"}; // by variant
  return Names[option.value.index()];
}

llvm::Error setPassOption(PassInstance &instance, llvm::StringRef option, llvm::StringRef value) {
  std::vector<PassOption> options = instance.pass->options();
  auto found =
      llvm::find_if(options, [&](const PassOption &candidate) { return candidate.name == option; });
  if (found == options.end())
    return failure("pass '" + instance.info->name + "' has no option '" + option + "'; it has: " +
                   (options.empty() ? "none" : namesOf(options)) + suggestion(option, options));
  if (!assign(*found, value))
    return failure("option '" + option + "' of pass '" + instance.info->name +
                   "' does not take the value '" + value + "'");
  instance.options = without(instance.options, option);
  instance.options += (instance.options.empty() ? "" : ",") + (option + "=" + value).str();
  return llvm::Error::success();
}

std::vector<NamedPass> namesInPipeline(llvm::StringRef text) {
  std::vector<NamedPass> names;
  addNames(text, 0, names);
  return names;
}

std::string printPassPipeline(llvm::ArrayRef<PassInstance> pipeline) {
  std::string text;
  for (const PassInstance &instance : pipeline) {
    text += (text.empty() ? "" : ",") + instance.name;
    if (!instance.options.empty())
      text += "{" + instance.options + "}";
    if (!instance.info)
      text += "(" + printPassPipeline(instance.nested) + ")";
  }
  return text;
}

std::string describePasses(llvm::ArrayRef<PassInfo> registry) {
  std::string text;
  for (const PassInfo &info : registry) {
    text += llvm::formatv("  {0,-20} {1}\n", info.name, info.help).str();
    std::unique_ptr<Pass> pass = info.create();
    for (const PassOption &option : pass->options())
      text +=
          llvm::formatv("    {{{0}={1}} {2}\n", option.name, valueText(option), option.help).str();
  }
  return text;
}

llvm::Expected<std::vector<PassInstance>> parsePassPipeline(llvm::StringRef text,
                                                            llvm::ArrayRef<PassInfo> registry) {
  std::vector<PassInstance> pipeline;
  if (text.trim().empty())
    return pipeline;
  for (llvm::StringRef part : splitPasses(text)) {
    bool isGroup = part.find('(') < part.find('{');
    llvm::Expected<PassInstance> instance =
        isGroup ? parseGroup(part, registry) : parsePass(part, registry);
    if (!instance)
      return instance.takeError();
    pipeline.push_back(std::move(*instance));
  }
  return pipeline;
}

} // namespace tilescope
