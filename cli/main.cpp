// Finds the verb; each verb is one file.
#include "cli/command.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

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
    out << "  " << llvm::left_justify(verb.name, 10) << verb.help << '\n';
  out << "\n'tilescope VERB --help' shows the options of a verb, with an example.\n"
         "exit code: 0 fine, 1 findings, 2 trouble\n";
}

// Runs at every exit, --help included: a stream that still holds an error would abort the program
// when it is destroyed.
void reportLostOutput() {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  llvm::outs().clear_error();
  if (code)
    llvm::WithColor::error(llvm::errs(), "tilescope")
        << "cannot write 'standard output': " << code.message() << '\n';
  llvm::errs().clear_error();
  if (code)
    _exit(Trouble);
}

// `tilescope show ir k.trace | head` ends as other programs do: silently, by the signal.
void endByPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

void prepareForBadOutputs() {
  llvm::sys::SetOneShotPipeSignalFunction(endByPipe);
  // A file past its size limit is a failed write like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  // Else the first file opened could take the place of a closed standard stream.
  (void)llvm::sys::Process::FixupStandardFileDescriptors();
  // The streams are made first, so that the handler runs before their destructors.
  llvm::outs();
  llvm::errs();
  std::atexit(reportLostOutput);
}

// Colours are for terminals, and for people who want them (no-color.org).
void prepareColours() {
  const char *refused = std::getenv("NO_COLOR");
  bool wanted = !refused || refused[0] == '\0';
  for (llvm::raw_fd_ostream *stream : {&llvm::outs(), &llvm::errs()})
    stream->enable_colors(wanted && stream->has_colors());
  llvm::WithColor::setAutoDetectFunction(
      [](const llvm::raw_ostream &stream) { return stream.colors_enabled(); });
}

// `commandLine` starts with the verb.
int runVerb(llvm::StringRef name, CommandLine commandLine) {
  for (const Verb &verb : Verbs) {
    if (verb.name != name)
      continue;
    std::string program = "tilescope " + name.str();
    commandLine[0] = program.c_str();
    return verb.run(commandLine);
  }
  llvm::WithColor::error(llvm::errs(), "tilescope")
      << (name.empty() ? "no verb given" : "unknown verb '" + name.str() + "'") << "\n\n";
  printUsage(llvm::errs());
  return Trouble;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  prepareForBadOutputs();
  prepareColours();
  llvm::StringRef name = argc > 1 ? argv[1] : "";
  bool isHelp = name == "--help" || name == "-h" || name == "help";
  if (isHelp && argc > 2) // help VERB
    return runVerb(argv[2], {argv[2], "--help"});
  if (isHelp) {
    printUsage(llvm::outs());
    return Fine;
  }
  if (name == "--version") {
    printVersion(llvm::outs());
    return Fine;
  }
  return runVerb(name, {argv + std::min(argc, 1), argv + argc});
}
