// reduce: a smaller kernel or IR text on which a command of the user's fails as before.
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/shell_test.h"

#include "core/driver/reduce_text.h"

#include "llvm/Support/Path.h"

#include <sys/wait.h>

namespace tilescope {

namespace {

constexpr const char *ReduceOverview =
    "Makes a kernel file, or IR text as 'opt --tagged' prints it, smaller for as long as the\n"
    "verifier accepts it and COMMAND ends with the exit code that it ends with on the whole. {} "
    "in\n"
    "the command is the file. It runs in a shell, without standard input, and what it prints is\n"
    "dropped. Lines are left out, many before few, then first lines of blocks, then calls around "
    "an\n"
    "argument. Ctrl-C writes what was found so far.\n\n"
    "  tilescope reduce kernel.py --keep 'tilescope exec {} --every-pass' -o smaller.py\n"
    "  tilescope reduce after.ir --keep 'timeout 5 tilescope opt {} --passes vectorize'\n";

// Whether texts are accepted, and whether the command then ends as it did.
class Keeper {
public:
  Keeper(CompileRequest request, const std::string &command)
      : request_(std::move(request)),
        test_{command, "{}", llvm::sys::path::filename(request_.path).str(),
              "exec >/dev/null 2>&1\n"} {
    request_.passes = "";
    request_.emitCuda = false;
    request_.stop = &interrupted();
  }

  size_t runs() const { return runs_; }
  // That the command could not be started.
  llvm::Error takeError() { return std::move(error_); }

  // Notes how the command ends on the whole.
  bool start() {
    CompileResult result = compile(request_);
    if (!result.succeeded()) {
      printDiagnostics(result);
      return false;
    }
    std::optional<int> code = exitCodeOn(request_.text);
    exitCode_ = code.value_or(0);
    return code.has_value();
  }
  int exitCode() const { return exitCode_; }

  bool keeps(llvm::StringRef text) {
    if (interrupted() || hasFailed_)
      return false;
    request_.text = text.str();
    return compile(request_).succeeded() && exitCodeOn(text) == exitCode_;
  }

private:
  // As shells say it: of a signal 128 and its number.
  std::optional<int> exitCodeOn(llvm::StringRef text) {
    ++runs_;
    llvm::Expected<int> status = test_.run(text);
    if (!status) {
      error_ = llvm::joinErrors(std::move(error_), status.takeError());
      hasFailed_ = true;
      return std::nullopt;
    }
    return WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
  }

  CompileRequest request_;
  ShellTest test_;
  int exitCode_ = 0;
  size_t runs_ = 0;
  bool hasFailed_ = false;
  llvm::Error error_ = llvm::Error::success();
};

} // namespace

int runReduce(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope reduce");
  KernelOptions kernel(category);
  llvm::cl::opt<std::string> command(
      "keep", llvm::cl::desc("Whose exit code is to stay as it is, with {} for the file"),
      llvm::cl::value_desc("COMMAND"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ReduceOverview))
    return *exitCode;
  if (!llvm::StringRef(command).contains("{}"))
    return report(
        llvm::createStringError("--keep wants a command with {} in it, not '" + command + "'"));
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (llvm::Error error = checkOutputs({{"-o", output}}, {{"input", request->path}}))
    return report(std::move(error));
  noteInterrupts();
  std::string text = request->text;
  Keeper keeper(std::move(*request), command);
  if (!keeper.start()) {
    llvm::Error error = keeper.takeError();
    return error ? report(std::move(error)) : Trouble;
  }
  std::string reduced =
      reduceText(text, [&](llvm::StringRef smaller) { return keeper.keeps(smaller); });
  if (llvm::Error error = keeper.takeError())
    return report(std::move(error));
  llvm::errs() << "the command ends with " << keeper.exitCode() << ": "
               << llvm::StringRef(text).count('\n') << " lines became "
               << llvm::StringRef(reduced).count('\n') << ", in " << keeper.runs() << " runs\n";
  return report(writeFile(output, reduced));
}

} // namespace tilescope
