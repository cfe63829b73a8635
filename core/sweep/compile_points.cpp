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
  SweepFigures figures = measure(recorder.trace(), *result.module, usage);
  if (request.time)
    if (llvm::Error error = request.time(result, index, figures)) {
      row.error = firstLine(std::move(error));
      return row;
    }
  row.problem = problemOf(*result.module);
  row.figures = std::move(figures);
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
  PointsRequest needed = request;
  needed.threads =
      static_cast<unsigned>(std::min<size_t>(std::max(request.threads, 1U), request.points.size()));
  std::atomic<size_t> given = 0;
  auto next = [&]() -> std::optional<uint64_t> {
    size_t i = given++;
    return i < request.points.size() ? std::optional(request.points[i]) : std::nullopt;
  };
  return request.points.empty() ? llvm::Error::success() : compilePoints(needed, next, take);
}

llvm::Error compilePoints(const PointsRequest &request,
                          llvm::function_ref<std::optional<uint64_t>()> next,
                          llvm::function_ref<llvm::Error(SweepRow)> take) {
  std::atomic<bool> isOver = false;
  std::mutex mutex;
  llvm::Error first = llvm::Error::success();
  auto work = [&] {
    for (std::optional<uint64_t> point = next(); point && !isOver; point = next()) {
      SweepRow row = compilePoint(request, *point);
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
  for (unsigned i = 0; i != std::max(request.threads, 1U); ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
  return first;
}

} // namespace tilescope
