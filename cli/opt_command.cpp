// opt: IR text in, passes, IR text out.
#include "cli/command.h"
#include "cli/pass_reports.h"
#include "cli/verify_each.h"

#include "core/ir/kernel_source.h"
#include "core/ir/printer.h"

namespace tilescope {

namespace {

std::string optOverview(const CommandLine &commandLine) {
  return "Runs passes on IR text, or on a kernel as elaborated, and prints the IR. An empty list\n"
         "reads and prints. IR to be read again is printed with --tagged: plain text, as 'show "
         "ir'\n"
         "prints it too, does not say which tile operation a statement was lowered from, and the\n"
         "checks of lowered IR need that.\n\n" +
         passHelpFor(commandLine) + PatchHelp +
         "\nWith --verify-each=exec nothing is printed of a kernel that a pass broke but what "
         "was found, on\nstandard error, and the exit code is 1.\n"
         "\n  tilescope opt snapshot.ir --passes 'plan-pipeline,inject-pipeline' "
         "--tagged -o after.ir\n"
         "  tilescope opt lowered.ir --passes merge-shared-memory --plan-for occupancy\n"
         "  tilescope opt lowered.ir --passes 'vectorize,insert-barriers' "
         "--verify-each=exec -o after.ir\n"
         "  tilescope opt kernel.py --load libmine.so --passes 'simplify,my-pass'\n"
         "  tilescope opt gemm.py:matmul --passes simplify,plan-pipeline -print-changed=diff -o "
         "/dev/null\n";
}

} // namespace

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
  VerifyEachOption verifyEach(category);
  PassReportOptions reports(category);
  PatchOption patches(category);
  if (std::optional<int> exitCode =
          parseCommandLine(commandLine, category, optOverview(commandLine)))
    return *exitCode;

  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  NamedFile written{"-o", output};
  if (llvm::Error error = checkOutputs(written, {{"input", request->path}}))
    return report(std::move(error));
  if (llvm::Error error = patches.addTo(*request, written))
    return report(std::move(error));
  request->passes = "";
  if (llvm::Error error = passes.addTo(*request))
    return report(std::move(error));
  request->keepsTaggedPlaces = tagged;
  request->emitCuda = false;
  if (llvm::Error error = verifyEach.check())
    return report(std::move(error));
  if (reports.stops()) {
    llvm::Expected<std::string> text = reports.stoppedText(*request);
    return report(text ? writeFile(output, *text) : text.takeError());
  }
  Stages stages;
  PassMeter meter;
  TraceRecorder recorder;
  PassObserver *observers[] = {&stages, &meter};
  CompileResult result = compile(*request, {reports.needsTrace() ? &recorder : nullptr, observers});
  printDiagnostics(result);
  int printed = reports.print(recorder.trace(), meter);
  if (!result.succeeded() || printed != Fine)
    return Trouble;
  if (int exitCode = verifyEach.verify(result, stages); exitCode != Fine)
    return exitCode;
  std::string text = printModule(*result.module, tagged);
  if (tagged && result.kernel)
    text += printKernelSource(result.files.get(*result.kernel));
  if (llvm::Error error = writeFile(output, text))
    return report(std::move(error));
  return Fine;
}

} // namespace tilescope
