// opt: IR text in, passes, IR text out.
#include "cli/command.h"

#include "core/ir/kernel_source.h"
#include "core/ir/printer.h"

namespace tilescope {

int runOpt(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope opt");
  KernelOptions kernel(category);
  PassesOption passes(category, "Passes to run: 'a,b{option=value}'");
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<bool> tagged("tagged",
                             llvm::cl::desc("Print ids, anchors and spans as #@ comments"),
                             llvm::cl::cat(category));
  PatchOption patches(category);
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Runs passes on IR text, or on a kernel as elaborated, and prints the IR. An empty list\n"
          "reads and prints. IR to be read again is printed with --tagged: plain text, as 'show "
          "ir'\n"
          "prints it too, does not say which tile operation a statement was lowered from, and the\n"
          "checks of lowered IR need that.\n\n" +
              passHelp() + PatchHelp +
              "\n  tilescope opt snapshot.ir --passes 'plan-pipeline,inject-pipeline' "
              "--tagged -o after.ir\n"
              "  tilescope opt lowered.ir --passes merge-shared-memory --plan-for occupancy\n"))
    return *exitCode;

  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  NamedFile written{"-o", output};
  if (llvm::Error error = checkOutputs(written, {{"input", request->path}}))
    return report(std::move(error));
  if (llvm::Error error = patches.addTo(*request, written))
    return report(std::move(error));
  request->passes = passes.given().value_or("");
  request->keepsTaggedPlaces = tagged;
  request->emitCuda = false;
  CompileResult result = compile(*request);
  printDiagnostics(result);
  if (!result.succeeded())
    return Trouble;
  std::string text = printModule(*result.module, tagged);
  if (tagged && result.kernel)
    text += printKernelSource(result.files.get(*result.kernel));
  if (llvm::Error error = writeFile(output, text))
    return report(std::move(error));
  return Fine;
}

} // namespace tilescope
