#include "core/session/live_compile.h"

namespace tilescope {

namespace {

// While a slider is dragged each compile may end; one that takes longer gives way.
constexpr std::chrono::milliseconds Patience(250);

FinishedCompile compileNow(CompileRequest request, const StopToken &stop) {
  request.stop = &stop;
  request.keepsTaggedPlaces = true; // an edit becomes a patch
  TraceRecorder recorder;
  CompileResult result = compile(request, Observers{&recorder, {}});
  FinishedCompile finished;
  finished.succeeded = result.succeeded();
  llvm::raw_string_ostream out(finished.diagnostics);
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    render(diagnostic, result.files, out, /*colors=*/false);
  finished.trace = recorder.takeTrace();
  return finished;
}

} // namespace

LiveCompile::LiveCompile(std::function<void()> wake)
    : NewestRequest([](const CompileRequest &request,
                       const Task &task) { return compileNow(request, task.stop); },
                    std::move(wake), Patience) {}

} // namespace tilescope
