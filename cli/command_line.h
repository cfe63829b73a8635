// The words of a command line: LLVM parses them, and what is wrong with them is said in one line
// that says what would be right.
#pragma once

#include "core/support/nearest_name.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// argv of one verb: argv[0] is "tilescope VERB", so that usage texts are right.
using CommandLine = std::vector<const char *>;

// Parses the options declared by the caller in `category`. nullopt: go on; else the exit code.
// `overview` is shown by --help and ends with an example. The one word --describe-options prints
// the options as JSON in place of that; completions and the man page are made of it.
std::optional<int> parseCommandLine(const CommandLine &commandLine,
                                    llvm::cl::OptionCategory &category, llvm::StringRef overview);

// Prints "--NAME wants WANTED, not 'GIVEN'" with the suggestion and returns true, as parsers do for
// a wrong value.
bool refuseValue(llvm::StringRef name, const llvm::Twine &wanted, llvm::StringRef given,
                 llvm::StringRef suggestion = "");

// For options of enums.
template <typename T> class ChoiceParser : public llvm::cl::parser<T> {
public:
  explicit ChoiceParser(llvm::cl::Option &option) : llvm::cl::parser<T>(option) {}

  bool parse(llvm::cl::Option & /*option*/, llvm::StringRef name, llvm::StringRef given, T &value) {
    std::vector<std::string> names;
    for (const auto &choice : this->Values) {
      if (choice.Name == given) {
        value = choice.V.getValue();
        return false;
      }
      if (!choice.Name.empty()) // the option without a value
        names.push_back(choice.Name.str());
    }
    return refuseValue(name, "one of " + llvm::join(names, ", "), given, didYouMean(given, names));
  }
};

// Whole numbers from 0 on. (LLVM's parser of uint64_t is final.)
using Count = unsigned long long;
class CountParser : public llvm::cl::parser<Count> {
public:
  using parser::parser;
  static bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef given,
                    Count &value);
  llvm::StringRef getValueName() const override { return "number"; }
};

// From 1 on.
class PositiveParser : public llvm::cl::parser<Count> {
public:
  using parser::parser;
  static bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef given,
                    Count &value);
  llvm::StringRef getValueName() const override { return "number"; }
};

class NumberParser : public llvm::cl::parser<double> {
public:
  using parser::parser;
  static bool parse(llvm::cl::Option &option, llvm::StringRef name, llvm::StringRef given,
                    double &value);
};

// An option that takes one of a few words.
class HasChoices {
public:
  virtual ~HasChoices() = default;
  // Words and what they mean.
  virtual std::vector<std::pair<std::string, std::string>> choices() const = 0;
};

template <typename T>
class ChoiceOption : public llvm::cl::opt<T, false, ChoiceParser<T>>, public HasChoices {
public:
  using llvm::cl::opt<T, false, ChoiceParser<T>>::opt;
  std::vector<std::pair<std::string, std::string>> choices() const override {
    std::vector<std::pair<std::string, std::string>> words;
    const ChoiceParser<T> &parser = const_cast<ChoiceOption *>(this)->getParser();
    for (unsigned i = 0; i != parser.getNumOptions(); ++i)
      words.emplace_back(parser.getOption(i), parser.getDescription(i));
    return words;
  }
};
// One of words that are not known where the option is declared.
class WordOption : public llvm::cl::opt<std::string>, public HasChoices {
public:
  using llvm::cl::opt<std::string>::opt;
  void offer(std::vector<std::string> words) { words_ = std::move(words); }
  std::vector<std::pair<std::string, std::string>> choices() const override {
    std::vector<std::pair<std::string, std::string>> words;
    words.reserve(words_.size());
    for (const std::string &word : words_)
      words.emplace_back(word, "");
    return words;
  }

private:
  std::vector<std::string> words_;
};
using CountOption = llvm::cl::opt<Count, false, CountParser>;
using PositiveOption = llvm::cl::opt<Count, false, PositiveParser>;
using NumberOption = llvm::cl::opt<double, false, NumberParser>;

} // namespace tilescope
