#include "core/driver/parameter_choices.h"

#include "core/support/dtype.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace tilescope {

namespace {

bool isWord(llvm::StringRef text) {
  auto isPartOfWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  bool startsWord = !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '_');
  return startsWord && llvm::all_of(text, isPartOfWord);
}

// As `--set` takes a value: `true`, `false` and `none` are Python's, of `T.float16` the word behind
// the dot counts, and a word is a string.
std::string literalOf(llvm::StringRef text) {
  text = text.trim();
  if (text == "True" || text == "False" || text == "None")
    return text.str();
  if (isWord(text))
    return llvm::StringSwitch<std::string>(text)
        .Case("true", "True")
        .Case("false", "False")
        .Case("none", "None")
        .Default("'" + text.substr(text.rfind('.') + 1).str() + "'");
  bool isPlainString = text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
                       text.drop_front().drop_back().find_first_of("\"'\\") == text.npos;
  return isPlainString ? "'" + text.drop_front().drop_back().str() + "'" : text.str();
}

// Numbers by value, before everything else.
bool comesBefore(const std::string &a, const std::string &b) {
  auto keyOf = [](llvm::StringRef literal) {
    double number = 0;
    bool isText = literal.getAsDouble(number) || !std::isfinite(number);
    return std::pair(isText, isText ? 0.0 : number);
  };
  auto keyA = keyOf(a);
  auto keyB = keyOf(b);
  return keyA != keyB ? keyA < keyB : a < b;
}

} // namespace

ParameterChoices::ParameterChoices(llvm::StringRef text, llvm::StringRef function) {
  llvm::Expected<std::vector<KernelInstance>> instances = instancesOfKernel(text, "");
  if (!instances) {
    llvm::consumeError(instances.takeError());
    return;
  }
  instances_ = std::move(*instances);
  llvm::erase_if(instances_,
                 [&](const KernelInstance &instance) { return instance.function != function; });
}

std::vector<std::string> ParameterChoices::of(const ElaboratedParameter &parameter) const {
  std::vector<std::string> choices;
  if (parameter.type.empty())
    return choices;
  if (parameter.type == "bool")
    return {"False", "True"};
  if (parameter.type == "dtype") {
    for (DType dtype : allDTypes())
      choices.push_back("'" + dtype.name() + "'");
    return choices;
  }
  if (!parameter.defaultLiteral.empty())
    choices.push_back(parameter.defaultLiteral);
  for (const KernelInstance &instance : instances_)
    for (const auto &[name, value] : instance.arguments)
      if (name == parameter.name)
        choices.push_back(literalOf(value));
  llvm::sort(choices, comesBefore);
  choices.erase(llvm::unique(choices), choices.end());
  return choices;
}

} // namespace tilescope
