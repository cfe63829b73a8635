#include "core/sweep/argument_trials.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

class Trials {
public:
  explicit Trials(const TrialRequest &request) : request_(request) {}

  ArgumentTrials run() {
    std::vector<SweepRow> base = compileAll({});
    if (base.empty() || !base[0].error.empty() || isStopped())
      return {};
    trials_.base = std::move(base[0]);
    for (const SweepAxis &axis : request_.values)
      tryNeighbours(axis);
    tryGrid();
    tryEdits();
    return isStopped() ? ArgumentTrials() : std::move(trials_);
  }

private:
  bool isStopped() const { return request_.compile.stop && *request_.compile.stop; }

  std::string valueOf(llvm::StringRef name) const {
    auto found = llvm::find_if(request_.arguments,
                               [&](const SweepSetting &setting) { return setting.first == name; });
    return found == request_.arguments.end() ? "" : found->second;
  }

  // Every combination of the values of the axes, the first axis slowest.
  std::vector<SweepRow> compileAll(llvm::ArrayRef<SweepAxis> axes) const {
    return compileAll(axes, request_.compile);
  }

  std::vector<SweepRow> compileAll(llvm::ArrayRef<SweepAxis> axes,
                                   const CompileRequest &compile) const {
    PointsRequest points;
    points.compile = compile;
    points.threads = request_.threads;
    points.grid.targets = {request_.compile.target};
    points.grid.axes = axes.vec();
    for (const auto &[name, value] : request_.arguments)
      if (llvm::none_of(axes, [&](const SweepAxis &axis) { return axis.name == name; }))
        points.grid.axes.push_back({name, {value}});
    for (const auto &[name, value] : request_.compile.passOptions)
      points.grid.axes.push_back({name, {value}, /*isPassOption=*/true});
    for (uint64_t point = 0; point != points.grid.size(); ++point)
      points.points.push_back(point);
    std::vector<SweepRow> rows;
    llvm::Error error = compilePoints(points, [&](SweepRow row) -> llvm::Error {
      rows.push_back(std::move(row));
      return isStopped() ? llvm::createStringError("stopped") : llvm::Error::success();
    });
    llvm::consumeError(std::move(error));
    llvm::sort(rows, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
    return rows;
  }

  // What of the base it changes: bytes of the peak, or a hundredth of one where only the blocks are
  // others.
  double effectOf(const SweepRow &row) const {
    if (!row.error.empty() || row.problem != trials_.base.problem)
      return 0;
    const SweepFigures &base = trials_.base.figures;
    double bytes = std::abs(static_cast<double>(row.figures.peakBytes - base.peakBytes));
    return bytes + (row.figures.blocksPerSm != base.blocksPerSm ? 0.01 : 0);
  }

  void tryNeighbours(const SweepAxis &axis) {
    std::string now = valueOf(axis.name);
    auto at = llvm::find(axis.values, now) - axis.values.begin();
    SweepAxis beside{axis.name, {}};
    for (ptrdiff_t i : {at - 1, at + 1})
      if (i >= 0 && static_cast<size_t>(i) < axis.values.size() && !isStopped())
        beside.values.push_back(axis.values[static_cast<size_t>(i)]);
    if (beside.values.empty())
      return;
    std::vector<SweepRow> rows = compileAll(beside);
    for (size_t i = 0; i != rows.size(); ++i) {
      double effect = effectOf(rows[i]);
      effects_[axis.name] = std::max(effects_[axis.name], effect);
      if (effect > 0)
        trials_.single.push_back({{{axis.name, beside.values[i]}}, std::move(rows[i])});
    }
  }

  void tryGrid() {
    std::vector<const SweepAxis *> axes;
    for (const SweepAxis &axis : request_.values)
      if (effects_[axis.name] > 0)
        axes.push_back(&axis);
    if (axes.size() < 2 || isStopped())
      return;
    llvm::stable_sort(axes, [&](const SweepAxis *a, const SweepAxis *b) {
      return effects_[a->name] > effects_[b->name];
    });
    trials_.axes = {*axes[0], *axes[1]};
    std::vector<SweepRow> rows = compileAll(trials_.axes);
    size_t columns = trials_.axes[1].values.size();
    for (SweepRow &row : rows) {
      const std::string &first = trials_.axes[0].values[row.point / columns];
      const std::string &second = trials_.axes[1].values[row.point % columns];
      trials_.grid.push_back(
          {{{trials_.axes[0].name, first}, {trials_.axes[1].name, second}}, std::move(row)});
    }
  }

  void tryEdits() {
    constexpr llvm::StringLiteral Place = "elaborate";
    if (isStopped())
      return;
    CompileRequest compile = request_.compile;
    compile.arguments = request_.arguments;
    compile.keepsTaggedPlaces = true; // an edit becomes a patch
    llvm::Expected<std::string> text = taggedTextAfter(compile, Place.str());
    if (!text)
      return llvm::consumeError(text.takeError());
    for (SmallerEdit &edit : smallerEdits(*text)) {
      if (isStopped())
        return;
      EditTrial trial{std::move(edit), Place.str(), {}, {}};
      trial.patch = {"edit after " + trial.place, makePatchText(Place, *text, trial.edit.text)};
      CompileRequest edited = compile;
      edited.patches.push_back(trial.patch);
      std::vector<SweepRow> rows = compileAll({}, edited);
      if (rows.empty())
        return;
      trial.row = std::move(rows.front());
      if (isBetter(trial.row) && !isMadeByArgument(trial))
        trials_.edits.push_back(std::move(trial));
    }
  }

  bool isBetter(const SweepRow &row) const {
    const SweepFigures &base = trials_.base.figures;
    return row.error.empty() &&
           (row.figures.peakBytes < base.peakBytes || row.figures.blocksPerSm > base.blocksPerSm);
  }

  bool isMadeByArgument(const EditTrial &trial) const {
    return llvm::any_of(trials_.single, [&](const ArgumentTrial &other) {
      return other.changed.front().second == std::to_string(trial.edit.numStages) &&
             other.row.figures == trial.row.figures;
    });
  }

  const TrialRequest &request_;
  ArgumentTrials trials_;
  std::map<std::string, double> effects_; // by argument, the greatest
};

} // namespace

ArgumentTrials tryArguments(const TrialRequest &request) { return Trials(request).run(); }

} // namespace tilescope
