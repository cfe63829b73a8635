#include "core/sweep/grid.h"

#include "core/support/number_text.h"
#include "core/target/target.h"

namespace tilescope {

uint64_t SweepGrid::size() const {
  uint64_t size = targets.size();
  for (const SweepAxis &axis : axes)
    size *= axis.values.size();
  return size;
}

SweepPoint SweepGrid::point(uint64_t index) const {
  SweepPoint point;
  point.arguments.resize(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    const SweepAxis &axis = axes[i];
    point.arguments[i] = {axis.name, axis.values[index % axis.values.size()]};
    index /= axis.values.size();
  }
  point.target = targets[index];
  return point;
}

llvm::Error checkGrid(const SweepGrid &grid) {
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

llvm::Expected<SweepGrid> makeGrid(llvm::ArrayRef<std::pair<std::string, std::string>> settings,
                                   llvm::StringRef targets) {
  SweepGrid grid;
  for (const auto &[name, values] : settings) {
    llvm::Expected<std::vector<std::string>> list = parseValueList(values);
    if (!list)
      return llvm::createStringError("--set " + name + ": " + llvm::toString(list.takeError()));
    grid.axes.push_back({name, std::move(*list)});
  }
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
