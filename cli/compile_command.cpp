// compile: a kernel to CUDA, headless.
#include "cli/command.h"

namespace tilescope {

int runCompile(CommandLine commandLine) {
  llvm::cl::OptionCategory category("tilescope compile");
  KernelOptions kernel(category);
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> passes("passes",
                                    llvm::cl::desc("Passes to run instead of the default pipeline"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> trace("trace", llvm::cl::desc("Record every pass into this file"),
                                   llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  llvm::cl::opt<bool> allowHazards("allow-hazards",
                                   llvm::cl::desc("Compile although barriers are missing"),
                                   llvm::cl::cat(category));
  llvm::cl::opt<bool> noAliases("no-aliases",
                                llvm::cl::desc("Cast the arena instead of naming each buffer"),
                                llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Compiles a TileLang kernel, or IR text, to one self-contained CUDA file.\n\n"
          "  tilescope compile gemm.py:matmul --set M=1024 --set dtype=float16 --target sm_80 -o "
          "gemm.cu\n"))
    return *exitCode;

  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (passes.getNumOccurrences())
    request->passes = passes;
  request->allowHazards = allowHazards;
  request->aliases = !noAliases;
  std::unique_ptr<TraceWriter> writer;
  if (!trace.empty()) {
    llvm::Expected<std::unique_ptr<TraceWriter>> opened = TraceWriter::open(trace);
    if (!opened)
      return report(opened.takeError());
    writer = std::move(*opened);
  }
  TraceRecorder recorder(writer.get());
  CompileResult result = compile(*request, Observers{writer ? &recorder : nullptr, {}});
  printDiagnostics(result);
  if (!result.succeeded())
    return Trouble;
  if (llvm::Error error = writeFile(output, result.cuda->text))
    return report(std::move(error));
  return Fine;
}

} // namespace tilescope
