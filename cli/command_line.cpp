#include "cli/command_line.h"

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/configuration.h"
#include "core/json/json_value.h"
#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

namespace cl = llvm::cl;

// How the word of an option is written: "-o", "--target"; with its place, where a configuration
// has it.
std::string dashed(llvm::StringRef name) {
  return configuredPlace(name) + (name.size() == 1 ? "-" : "--") + name.str();
}

bool isBoolean(llvm::StringRef value) {
  return value == "true" || value == "false" || value == "1" || value == "0";
}

// "FILE[:FUNCTION] [BUFFER [BUFFER]]"
std::string positionalsText() {
  std::vector<std::string> words;
  for (const cl::Option *option : cl::SubCommand::getTopLevel().PositionalOpts)
    words.push_back(option->HelpStr.str());
  return llvm::join(words, " ");
}

// Looks at the words as LLVM will, and finds the first that it would refuse.
class WordCheck {
public:
  explicit WordCheck(const CommandLine &commandLine)
      : words_(commandLine.begin() + 1, commandLine.end()), program_(commandLine.front()),
        seeHelp_("; see '" + program_ + " --help'"), options_(cl::getRegisteredOptions()) {}

  // "": nothing is wrong.
  std::string run() {
    for (next_ = 0; next_ < words_.size();) {
      llvm::StringRef word = words_[next_++];
      bool isOption = word.size() > 1 && word.front() == '-' && !onlyPositionals_;
      if (!isOption)
        positionals_.push_back(word);
      else if (word == "--")
        onlyPositionals_ = true;
      else if (std::string fault = faultOfOption(word); !fault.empty())
        return fault;
    }
    return asksForHelp_ ? "" : faultOfCount();
  }

private:
  std::string faultOfOption(llvm::StringRef word) {
    llvm::StringRef text = word.drop_front(word.starts_with("--") ? 2 : 1);
    llvm::StringRef name = text.split('=').first;
    bool hasValue = text.contains('=');
    auto found = options_.find(name);
    if (found == options_.end() && isBehindPrefix(name))
      return "";
    if (found == options_.end())
      return "unknown option '" + word.split('=').first.str() + "'" + suggestion(name);
    const cl::Option &option = *found->second;
    asksForHelp_ |= name.starts_with("help") || name == "h" || name == "version";
    bool isRepeated = !given_.insert(name).second;
    if (isRepeated && option.getNumOccurrencesFlag() == cl::Optional)
      return dashed(name) + " is given twice";
    bool hasChoices = dynamic_cast<const HasChoices *>(&option) != nullptr;
    if (option.getValueExpectedFlag() == cl::ValueOptional && hasChoices)
      return "";
    if (option.getValueExpectedFlag() != cl::ValueRequired)
      return hasValue && !isBoolean(text.split('=').second) ? dashed(name) + " takes no value" : "";
    if (!hasValue && next_ == words_.size())
      return dashed(name) + " wants a value" + seeHelp_;
    llvm::StringRef value = hasValue ? text.split('=').second : words_[next_];
    if (value.empty() && isFileName(option.ValueStr))
      return dashed(name) + " wants the name of a file";
    next_ += hasValue ? 0 : 1;
    return faultOfMoreValues(option);
  }

  // "Werror": the value of -W stands behind it without a space.
  bool isBehindPrefix(llvm::StringRef name) const {
    return llvm::any_of(options_, [&](const auto &entry) {
      return entry.getValue()->getFormattingFlag() == cl::Prefix &&
             name.starts_with(entry.getKey());
    });
  }

  static bool isFileName(llvm::StringRef valueName) {
    return valueName.starts_with("FILE") || valueName == "TRACE" || valueName == "LOCK" ||
           valueName.starts_with("PLAN.");
  }

  // Of an option with several values, which LLVM takes whatever they are.
  std::string faultOfMoreValues(const cl::Option &option) {
    for (unsigned values = option.getNumAdditionalVals(); values > 1; --values, ++next_)
      if (next_ >= words_.size() || words_[next_] == "--")
        return dashed(option.ArgStr) + " wants " + option.ValueStr.str() + seeHelp_;
    return "";
  }

  std::string suggestion(llvm::StringRef name) const {
    std::vector<std::string> names;
    for (const auto &entry : options_)
      if (entry.getValue()->getOptionHiddenFlag() == cl::NotHidden)
        names.push_back(entry.getKey().str());
    for (const CommonOptionText &option : AllCommonOptions)
      names.emplace_back(option.name);
    std::string nearest = nearestName(name, names);
    return nearest.empty() ? seeHelp_ : "; did you mean '" + dashed(nearest) + "'?";
  }

  std::string faultOfCount() const {
    size_t least = 0;
    bool isList = false;
    const auto &wanted = cl::SubCommand::getTopLevel().PositionalOpts;
    for (const cl::Option *option : wanted) {
      auto occurrences = option->getNumOccurrencesFlag();
      least += occurrences == cl::Required || occurrences == cl::OneOrMore;
      isList |= occurrences == cl::ZeroOrMore || occurrences == cl::OneOrMore;
    }
    // LLVM reads more words from a file @FILE.
    bool mayBeMore = llvm::any_of(positionals_, [](auto word) { return word.starts_with("@"); });
    if (positionals_.size() < least && !mayBeMore)
      return "'" + program_ + "' wants " + positionalsText() + seeHelp_;
    if (positionals_.size() > wanted.size() && !isList)
      return "'" + program_ + "' wants " +
             (wanted.empty() ? "no '" : positionalsText() + " and no '") +
             positionals_[wanted.size()].str() + "'" + seeHelp_;
    return "";
  }

  std::vector<llvm::StringRef> words_;
  std::string program_;
  std::string seeHelp_;
  llvm::StringMap<cl::Option *> &options_;
  size_t next_ = 0;
  bool onlyPositionals_ = false;
  bool asksForHelp_ = false;
  std::vector<llvm::StringRef> positionals_;
  std::set<llvm::StringRef> given_;
};

Json choicesJson(const cl::Option &option) {
  Json words = Json::array();
  if (const auto *chosen = dynamic_cast<const HasChoices *>(&option))
    for (const auto &[name, help] : chosen->choices())
      words.push_back({{"name", name}, {"help", help}});
  return words;
}

// What cli/verb_descriptions.h reads: name, help, value ("": a flag), isRepeated, choices.
Json optionsJson(llvm::StringRef overview) {
  std::map<std::string, const cl::Option *> sorted;
  for (const auto &entry : cl::getRegisteredOptions())
    if (entry.getValue()->getOptionHiddenFlag() == cl::NotHidden)
      sorted.emplace(entry.getKey().str(), entry.getValue());
  Json options = Json::array();
  for (const auto &[name, option] : sorted) {
    bool isFlag = option->getValueExpectedFlag() != cl::ValueRequired;
    std::string value = option->ValueStr.empty() ? "value" : option->ValueStr.str();
    options.push_back({{"name", name},
                       {"help", option->HelpStr.str()},
                       {"value", isFlag ? "" : value},
                       {"isRepeated", option->getNumOccurrencesFlag() != cl::Optional &&
                                          option->getNumOccurrencesFlag() != cl::Required},
                       {"choices", isFlag ? Json::array() : choicesJson(*option)}});
  }
  return {{"overview", overview.str()}, {"positionals", positionalsText()}, {"options", options}};
}

} // namespace

bool refuseValue(llvm::StringRef name, const llvm::Twine &wanted, llvm::StringRef given,
                 llvm::StringRef suggestion) {
  report(llvm::createStringError(dashed(name) + " wants " + wanted + ", not '" + given + "'" +
                                 suggestion));
  return true;
}

bool CountParser::parse(cl::Option & /*option*/, llvm::StringRef name, llvm::StringRef given,
                        Count &value) {
  return given.getAsInteger(0, value) && refuseValue(name, "a whole number from 0 on", given);
}

bool PositiveParser::parse(cl::Option & /*option*/, llvm::StringRef name, llvm::StringRef given,
                           Count &value) {
  return (given.getAsInteger(0, value) || value == 0) &&
         refuseValue(name, "a whole number from 1 on", given);
}

bool NumberParser::parse(cl::Option & /*option*/, llvm::StringRef name, llvm::StringRef given,
                         double &value) {
  return given.getAsDouble(value) && refuseValue(name, "a number", given);
}

std::optional<int> parseCommandLine(const CommandLine &commandLine, cl::OptionCategory &category,
                                    llvm::StringRef overview) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
  if (commandLine.size() == 2 && llvm::StringRef(commandLine[1]) == "--describe-options")
    return report(writeFile("-", dumpJson(optionsJson(overview))));
  llvm::Expected<std::vector<std::string>> configured = configuredWords(commandLine);
  if (!configured)
    return report(configured.takeError());
  CommandLine words{commandLine.front()};
  for (const std::string &word : *configured)
    words.push_back(word.c_str());
  words.insert(words.end(), commandLine.begin() + 1, commandLine.end());
  if (std::string fault = WordCheck(words).run(); !fault.empty())
    return report(llvm::createStringError(fault));
  if (cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data(), overview,
                                  &llvm::errs()))
    return std::nullopt;
  return Trouble;
}

} // namespace tilescope
