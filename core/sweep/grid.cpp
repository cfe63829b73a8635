#include "core/sweep/grid.h"

#include "core/support/number_text.h"
#include "core/target/target.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

std::vector<SweepSetting> SweepPoint::settings() const {
  std::vector<SweepSetting> both = arguments;
  llvm::append_range(both, passOptions);
  return both;
}

uint64_t SweepGrid::size() const {
  uint64_t size = targets.size();
  for (const SweepAxis &axis : axes)
    size *= axis.values.size();
  return size;
}

SweepPoint SweepGrid::point(uint64_t index) const {
  SweepPoint point;
  for (const SweepAxis &axis : llvm::reverse(axes)) {
    std::vector<SweepSetting> &settings = axis.isPassOption ? point.passOptions : point.arguments;
    settings.emplace_back(axis.name, axis.values[index % axis.values.size()]);
    index /= axis.values.size();
  }
  std::ranges::reverse(point.arguments);
  std::ranges::reverse(point.passOptions);
  point.target = targets[index];
  return point;
}

llvm::Error checkGrid(const SweepGrid &grid) {
  if (!llvm::is_sorted(grid.axes, [](const SweepAxis &a, const SweepAxis &b) {
        return a.isPassOption < b.isPassOption;
      }))
    return llvm::createStringError("an argument stands behind an option of a pass");
  uint64_t size = grid.targets.size();
  for (const SweepAxis &axis : grid.axes) {
    if (axis.values.empty())
      size = 0;
    // Both factors are small enough not to overflow.
    size *= std::min<uint64_t>(axis.values.size(), MaxSweepPoints + 1);
    if (size > MaxSweepPoints)
      break;
  }
  if (size == 0)
    return llvm::createStringError("the grid has no points");
  if (size > MaxSweepPoints)
    return llvm::createStringError("the grid has more than " + groupedNumber(MaxSweepPoints) +
                                   " points");
  return llvm::Error::success();
}

static llvm::Error addAxes(llvm::StringRef option, llvm::ArrayRef<SweepSetting> settings,
                           bool arePassOptions, SweepGrid &grid) {
  for (const auto &[name, values] : settings) {
    llvm::Expected<std::vector<std::string>> list = parseValueList(values);
    if (!list)
      return llvm::createStringError(option + " " + name + ": " + llvm::toString(list.takeError()));
    grid.axes.push_back({name, std::move(*list), arePassOptions});
  }
  return llvm::Error::success();
}

llvm::Expected<SweepGrid> makeGrid(llvm::ArrayRef<SweepSetting> arguments,
                                   llvm::ArrayRef<SweepSetting> passOptions,
                                   llvm::StringRef targets) {
  SweepGrid grid;
  if (llvm::Error error = addAxes("--set", arguments, /*arePassOptions=*/false, grid))
    return error;
  if (llvm::Error error = addAxes("--pass-option", passOptions, /*arePassOptions=*/true, grid))
    return error;
  llvm::Expected<std::vector<std::string>> names = parseValueList(targets);
  if (!names)
    return llvm::createStringError("--target: " + llvm::toString(names.takeError()));
  for (const std::string &name : *names)
    if (llvm::Expected<const Target *> target = findTarget(name); !target)
      return target.takeError();
  grid.targets = std::move(*names);
  if (llvm::Error error = checkGrid(grid))
    return error;
  return grid;
}

llvm::Expected<SweepShard> parseShard(llvm::StringRef text) {
  auto [index, count] = text.split('/');
  SweepShard shard;
  bool isShard = !index.getAsInteger(10, shard.index) && !count.getAsInteger(10, shard.count);
  if (!isShard || shard.index < 1 || shard.index > shard.count || shard.count > MaxSweepPoints)
    return llvm::createStringError("--shard wants K/N with K from 1 to N, not '" + text + "'");
  return shard;
}

} // namespace tilescope
