// Finds the verb; each verb is one file.
#include "cli/command.h"

#include "llvm/Support/InitLLVM.h"

using namespace tilescope;

namespace {

struct Verb {
  llvm::StringRef name;
  llvm::StringRef help;
  int (*run)(CommandLine);
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
    out << "  " << llvm::left_justify(verb.name, 10) << verb.help << '\n';
  out << "\n'tilescope VERB --help' shows the options of a verb, with an example.\n"
         "exit code: 0 fine, 1 findings, 2 trouble\n";
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") {
    printUsage(llvm::outs());
    return Fine;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return Fine;
  }
  for (const Verb &verb : Verbs) {
    if (verb.name != name)
      continue;
    std::string program = "tilescope " + name.str();
    CommandLine commandLine(argv + 1, argv + argc);
    commandLine[0] = program.c_str();
    return verb.run(std::move(commandLine));
  }
  llvm::errs() << "tilescope: "
               << (name.empty() ? "no verb given" : "unknown verb '" + name.str() + "'") << "\n\n";
  printUsage(llvm::errs());
  return Trouble;
}
