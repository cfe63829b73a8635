#include "cli/common_options.h"

#include "llvm/Support/Error.h"

namespace tilescope {

namespace {

llvm::Error readColours(llvm::StringRef value, ColourUse &colours) {
  constexpr std::pair<llvm::StringLiteral, ColourUse> Words[] = {
      {"auto", ColourUse::Auto}, {"always", ColourUse::Always}, {"never", ColourUse::Never}};
  for (const auto &[word, use] : Words)
    if (value == word) {
      colours = use;
      return llvm::Error::success();
    }
  return llvm::createStringError("--color wants one of auto, always, never, not '" + value + "'" +
                                 didYouMean(value, {"auto", "always", "never"}));
}

// nullopt: the word is no such option.
std::optional<llvm::Error> readWord(llvm::StringRef word, CommonOptions &options) {
  if (!word.consume_front("--"))
    return std::nullopt;
  auto [name, value] = word.split('=');
  bool hasValue = name.size() != word.size();
  if (name == "color")
    return readColours(hasValue ? value : "always", options.colours);
  if (name == "config") {
    if (value.empty())
      return llvm::createStringError("--config wants a file: --config=FILE, or none");
    options.configuration = value.str();
    return llvm::Error::success();
  }
  if (name != "no-pager" && name != "watch")
    return std::nullopt;
  if (hasValue)
    return llvm::createStringError("--" + name + " takes no value");
  (name == "watch" ? options.isWatching : options.hasPager) = name == "watch";
  return llvm::Error::success();
}

} // namespace

llvm::Expected<CommonOptions> takeCommonOptions(CommandLine &commandLine) {
  CommonOptions options;
  CommandLine rest;
  bool areOver = false;
  for (const char *word : commandLine) {
    areOver |= llvm::StringRef(word) == "--";
    std::optional<llvm::Error> read;
    if (!areOver && !rest.empty())
      read = readWord(word, options);
    if (!read) {
      rest.push_back(word);
      continue;
    }
    if (*read)
      return std::move(*read);
  }
  commandLine = std::move(rest);
  return options;
}

} // namespace tilescope
