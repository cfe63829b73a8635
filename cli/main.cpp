// Finds the verb; each verb is one file.
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/pager.h"
#include "cli/program.h"
#include "cli/watch.h"
#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace tilescope;

namespace {

struct Verb {
  llvm::StringRef name;
  llvm::StringRef help;
  int (*run)(const CommandLine &);
};

constexpr Verb Verbs[] = {
#define COMMAND(verb, Class, help) {verb, help, run##Class},
#include "cli/commands.def"
};

void printUsage(llvm::raw_ostream &out) {
  out << "usage: tilescope VERB [options]\n\n"
         "A compiler workbench for tile kernels: from a TileLang file to CUDA, every pass "
         "recorded.\n"
         "\nverbs:\n";
  for (const Verb &verb : Verbs)
    out << "  " << llvm::left_justify(verb.name, 13) << verb.help << '\n';
  out << "\noptions of every verb:\n";
  for (const CommonOptionText &option : AllCommonOptions) {
    bool isFlag = option.value[0] == '\0';
    std::string word = std::string("--") + option.name + (isFlag ? "" : "=") + option.value;
    out << "  " << llvm::left_justify(word, 15) << option.help << '\n';
  }
  out << "\n'tilescope VERB --help' shows the options of a verb, with an example.\n"
         "exit code: 0 fine, 1 findings, 2 trouble, 128 and the signal where one ended the work\n";
}

std::string suggestion(llvm::StringRef name) {
  std::vector<std::string> names;
  for (const Verb &verb : Verbs)
    names.push_back(verb.name.str());
  return didYouMean(name, names);
}

// `commandLine` starts with the verb.
int runVerb(llvm::StringRef name, CommandLine commandLine) {
  for (const Verb &verb : Verbs) {
    if (verb.name != name)
      continue;
    std::string program = "tilescope " + name.str();
    commandLine[0] = program.c_str();
    if (commandLine.size() == 2 && llvm::StringRef(commandLine[1]) == "-h")
      commandLine[1] = "--help";
    return verb.run(commandLine);
  }
  llvm::WithColor::error(llvm::errs(), "tilescope")
      << (name.empty() ? "no verb given" : "unknown verb '" + name.str() + "'" + suggestion(name))
      << "\n\n";
  printUsage(llvm::errs());
  return Trouble;
}

// Those that print more than a screen holds.
bool isPaged(llvm::StringRef verb) {
  static constexpr llvm::StringLiteral Paged[] = {"show", "diff", "why", "find", "language"};
  return llvm::is_contained(Paged, verb);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CommandLine words(argv, argv + argc);
  llvm::Expected<CommonOptions> common = takeCommonOptions(words);
  prepareProgram(common ? common->colours : ColourUse::Auto);
  if (!common)
    return report(common.takeError());
  llvm::StringRef name = words.size() > 1 ? words[1] : "";
  bool isHelp = name == "--help" || name == "-h" || name == "help";
  if (isHelp && words.size() > 2) // help VERB
    return runVerb(words[2], {words[2], "--help"});
  if (isHelp) {
    printUsage(llvm::outs());
    return Fine;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return Fine;
  }
  useConfiguration(common->configuration);
  CommandLine verb(words.empty() ? words.begin() : std::next(words.begin()), words.end());
  if (common->isWatching)
    return watch([&] { return runVerb(name, verb); });
  if (common->hasPager && isPaged(name))
    startPager();
  return runVerb(name, verb);
}
