// What the verbs share: arguments, exit codes, files, diagnostics.
#pragma once

#include "core/driver/compile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

enum ExitCode : int {
  Fine = 0,
  Findings = 1, // check, diff, find, run --check found something
  Trouble = 2,
};

// argv of one verb: argv[0] is "tilescope VERB", so that usage texts are right.
using CommandLine = std::vector<const char *>;

#define COMMAND(verb, Class, help) int run##Class(CommandLine commandLine);
#include "cli/commands.def"

// Parses the options declared by the caller in `category`. nullopt: go on; else the exit code.
// `overview` is shown by --help and ends with an example.
std::optional<int> parseCommandLine(const CommandLine &commandLine,
                                    llvm::cl::OptionCategory &category, llvm::StringRef overview);

// The whole file, "-" for standard input. The error names the file and the cause.
llvm::Expected<std::string> readFile(const std::string &path);

// Writes beside the final name and renames, so that a reader never sees half a file. "-" is
// standard output; an existing target that is no regular file is written directly.
llvm::Error writeFile(const std::string &path, llvm::StringRef text);

// Prints an error of the world to standard error and returns Trouble.
int report(llvm::Error error);

// Renders to standard error, in colour on a terminal.
void printDiagnostics(const CompileResult &result);

// How verbs name a kernel: FILE[:FUNCTION], --set NAME=VALUE, --target. Declare one in a verb, then
// parse; the options live as long as this object.
class KernelOptions {
public:
  explicit KernelOptions(llvm::cl::OptionCategory &category);
  // Reads the file. "-" is standard input.
  llvm::Expected<CompileRequest> request() const;

private:
  llvm::cl::opt<std::string> kernel_;
  llvm::cl::list<std::string> settings_;
  llvm::cl::opt<std::string> target_;
};

} // namespace tilescope
