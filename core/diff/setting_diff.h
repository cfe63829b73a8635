// How two compiles were asked for: arguments, pass options, target.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

struct SettingDiff {
  std::string name; // an argument, "PASS.OPTION", "target", "pipeline"
  std::string before;
  std::string after;

  friend bool operator==(const SettingDiff &, const SettingDiff &) = default;
};

template <typename Archive> void fields(Archive &archive, SettingDiff &setting) {
  archive("name", setting.name);
  archive.always("before", setting.before);
  archive.always("after", setting.after);
}

// Those that differ: arguments in the order of the kernel, what else was asked behind them.
std::vector<SettingDiff> diffSettings(const TraceHeader &before, const TraceHeader &after);

} // namespace tilescope
