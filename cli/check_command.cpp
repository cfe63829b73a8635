// check: verifier, arena, hazards and capacity, as an exit code.
#include "cli/command.h"

#include "viewer/model/findings_model.h"

namespace tilescope {

int runCheck(CommandLine commandLine) {
  llvm::cl::OptionCategory category("tilescope check");
  TraceOptions source(category);
  FormatOption format(category);
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Says whether a compile is sound: IR verified, arena sound, no missing barrier, within\n"
          "the shared memory of the target. Exit code 0 if it is, 1 if not,\n"
          "2 if a trace does not reach its end.\n\n"
          "  tilescope check gemm.py:matmul --set M=1024 --set N=1024 --set K=1024\n"))
    return *exitCode;
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  FindingsView view = buildFindings(*trace, Selection());
  if (format.isJson())
    llvm::outs() << dumpJson(toJson(view));
  else
    print(view, llvm::outs());
  if (!trace->complete)
    return report(llvm::createStringError("what a cut-off trace lost was not checked"));
  return view.isClean() ? Fine : Findings;
}

} // namespace tilescope
