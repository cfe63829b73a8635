// new-name: ONE LINE OF HELP.
#include "cli/command.h"

namespace tilescope {

int runNewName(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope new-name");
  llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("FILE"),
                                  llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category,
                                                     "ONE LINE OF HELP.\n\n"
                                                     "  tilescope new-name FILE\n"))
    return *exitCode;
  llvm::Expected<std::string> text = readFile(file);
  if (!text)
    return report(text.takeError());
  llvm::outs() << text->size() << " bytes\n";
  return Fine;
}

} // namespace tilescope
