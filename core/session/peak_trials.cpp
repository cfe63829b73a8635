#include "core/session/peak_trials.h"

#include "core/sweep/argument_trials.h"
#include "core/views/arguments_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

PeakArguments toView(ArgumentTrial trial, const SweepRow &base) {
  PeakArguments changed;
  changed.arguments = std::move(trial.changed);
  changed.error = std::move(trial.row.error);
  if (!changed.error.empty())
    return changed;
  changed.isOtherProblem = trial.row.problem != base.problem;
  changed.peakBytes = trial.row.figures.peakBytes;
  changed.gainBytes = base.figures.peakBytes - changed.peakBytes;
  changed.blocksPerSm = trial.row.figures.blocksPerSm;
  return changed;
}

PeakEdit toView(EditTrial trial, const SweepRow &base) {
  PeakEdit edit;
  edit.sourceLine = trial.edit.line;
  edit.what = trial.edit.what + lineText(" in line ", edit.sourceLine);
  edit.place = std::move(trial.place);
  edit.patch = std::move(trial.patch.text);
  edit.peakBytes = trial.row.figures.peakBytes;
  edit.gainBytes = base.figures.peakBytes - edit.peakBytes;
  edit.blocksPerSm = trial.row.figures.blocksPerSm;
  return edit;
}

} // namespace

PeakTrials tryArguments(CompileRequest request, const TraceHeader &header, unsigned threads) {
  TrialRequest wanted;
  request.arguments.clear();
  for (const TraceParameter &parameter : header.parameters)
    request.arguments.emplace_back(parameter.name, parameter.value);
  wanted.compile = std::move(request);
  wanted.arguments = wanted.compile.arguments;
  wanted.threads = threads;
  Trace trace;
  trace.header = header;
  for (const ArgumentRow &row : buildArguments(trace, Selection()).arguments)
    if (std::vector<std::string> values = valuesAround(row); values.size() > 1)
      wanted.values.push_back({row.name, std::move(values)});
  ArgumentTrials trials = tryArguments(wanted);
  PeakTrials view;
  for (ArgumentTrial &trial : trials.single)
    view.changes.push_back(toView(std::move(trial), trials.base));
  llvm::stable_sort(view.changes, [](const PeakArguments &a, const PeakArguments &b) {
    return a.gainBytes > b.gainBytes;
  });
  for (EditTrial &trial : trials.edits)
    view.edits.push_back(toView(std::move(trial), trials.base));
  if (trials.axes.empty())
    return view;
  view.map.down = trials.axes[0].name;
  view.map.downValues = trials.axes[0].values;
  view.map.across = trials.axes[1].name;
  view.map.acrossValues = trials.axes[1].values;
  for (ArgumentTrial &trial : trials.grid) {
    bool isNow = llvm::all_of(trial.changed, [&](const SweepSetting &setting) {
      return llvm::is_contained(wanted.arguments, setting);
    });
    view.map.cells.push_back(toView(std::move(trial), trials.base));
    view.map.cells.back().isNow = isNow;
  }
  return view;
}

LiveTrials::LiveTrials(std::function<void()> wake)
    : BackgroundResults(
          [](const TrialSource &source, const std::atomic<bool> &stop) {
            CompileRequest request = source.request;
            request.stop = &stop;
            return tryArguments(std::move(request), source.header, 1);
          },
          std::move(wake)) {}

} // namespace tilescope
