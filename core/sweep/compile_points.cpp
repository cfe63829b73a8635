#include "core/sweep/compile_points.h"

#include "core/driver/option_settings.h"
#include "core/sweep/measure.h"

#include <mutex>
#include <thread>

namespace tilescope {

namespace {

// One line: what a table or a CSV has room for.
std::string firstError(const CompileResult &result) {
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      return llvm::StringRef(diagnostic.text).split('\n').first.str();
  return "";
}

std::string firstLine(llvm::Error error) {
  return llvm::StringRef(llvm::toString(std::move(error))).split('\n').first.str();
}

SweepRow compilePoint(const PointsRequest &request, uint64_t index) {
  SweepPoint point = request.grid.point(index);
  CompileRequest compileRequest = request.compile;
  compileRequest.arguments = point.arguments;
  compileRequest.passOptions = point.passOptions;
  compileRequest.target = point.target;
  TraceRecorder recorder;
  CompileResult result = compile(compileRequest, Observers{&recorder, {}});
  SweepRow row;
  row.point = index;
  row.error = firstError(result);
  if (!row.error.empty())
    return row;
  std::optional<PtxasUsage> usage;
  if (request.askPtxas) {
    llvm::Expected<PtxasUsage> answer = request.askPtxas(result);
    if (!answer) {
      row.error = firstLine(answer.takeError());
      return row;
    }
    usage = std::move(*answer);
  }
  std::optional<int64_t> medianNs;
  if (request.time) {
    llvm::Expected<int64_t> time = request.time(result);
    if (!time) {
      row.error = firstLine(time.takeError());
      return row;
    }
    medianNs = *time;
  }
  row.problem = problemOf(*result.module);
  row.figures = measure(recorder.trace(), *result.module, usage);
  row.figures.medianNs = medianNs;
  return row;
}

// Each value alone, whatever stands beside it: a grid has many more points than values.
llvm::Error checkPassOptions(const Target &target, const SweepAxis &axis) {
  for (const std::string &value : axis.values)
    if (llvm::Error error = checkPassOptions(target, {{axis.name, value}}))
      return error;
  return llvm::Error::success();
}

} // namespace

llvm::Error checkPassOptions(const SweepGrid &grid) {
  for (const std::string &name : grid.targets) {
    llvm::Expected<const Target *> target = findTarget(name);
    if (!target)
      return target.takeError();
    for (const SweepAxis &axis : grid.axes)
      if (axis.isPassOption)
        if (llvm::Error error = checkPassOptions(**target, axis))
          return error;
  }
  return llvm::Error::success();
}

llvm::Error compilePoints(const PointsRequest &request,
                          llvm::function_ref<llvm::Error(SweepRow)> take) {
  std::atomic<size_t> next = 0;
  std::atomic<bool> isOver = false;
  std::mutex mutex;
  llvm::Error first = llvm::Error::success();
  auto work = [&] {
    for (size_t i = next++; i < request.points.size() && !isOver; i = next++) {
      SweepRow row = compilePoint(request, request.points[i]);
      std::lock_guard lock(mutex);
      if (isOver)
        return;
      if (llvm::Error error = take(std::move(row))) {
        first = llvm::joinErrors(std::move(first), std::move(error));
        isOver = true;
      }
    }
  };
  std::vector<std::thread> threads;
  size_t count = std::min<size_t>(std::max(request.threads, 1U), request.points.size());
  for (size_t i = 0; i != count; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  return first;
}

} // namespace tilescope
