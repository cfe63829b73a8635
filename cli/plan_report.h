// What `plan --format json` prints.
#pragma once

#include "core/json/archive.h"

namespace tilescope {

struct PlanReport {
  struct Placed {
    std::string name;
    int64_t offsetBytes = 0;
    int64_t sizeBytes = 0;
    int64_t paddingBytes = 0;
    std::vector<std::string> below;
    std::vector<std::string> sharesWith;
  };
  // Buffers that do not fit together.
  struct Core {
    std::vector<std::string> buffers;
    bool isMinimal = false;
    std::string cause; // "live-together", "fragmentation", "unknown"

    friend bool operator==(const Core &, const Core &) = default;
  };
  struct Change {
    std::string change; // "shorter-life", "fewer-versions", "smaller-alignment"
    std::string buffer;
    int64_t heightBytes = 0; // with it
    int64_t gainBytes = 0;

    friend bool operator==(const Change &, const Change &) = default;
  };
  int64_t heightBytes = 0;
  int64_t boundBytes = 0;
  int64_t gapBytes = 0;
  std::string proof; // "optimal", "gap"
  std::string certificate;
  int64_t searchNodes = 0;
  std::vector<Placed> buffers;
  int64_t capacityBytes = 0; // 0: none was given
  std::optional<bool> fits;
  // Where a live set is the proof.
  std::optional<int64_t> point;
  std::vector<std::string> liveSet;
  // Where the plan does not fit.
  std::optional<Core> core;
  std::optional<std::vector<Change>> savings;
};

template <typename Archive> void fields(Archive &archive, PlanReport::Placed &placed) {
  archive.always("name", placed.name);
  archive.always("offsetBytes", placed.offsetBytes);
  archive.always("sizeBytes", placed.sizeBytes);
  archive.always("paddingBytes", placed.paddingBytes);
  archive.always("below", placed.below);
  archive.always("sharesWith", placed.sharesWith);
}

template <typename Archive> void fields(Archive &archive, PlanReport::Core &core) {
  archive.always("buffers", core.buffers);
  archive.always("isMinimal", core.isMinimal);
  archive.always("cause", core.cause);
}

template <typename Archive> void fields(Archive &archive, PlanReport::Change &change) {
  archive.always("change", change.change);
  archive.always("buffer", change.buffer);
  archive.always("heightBytes", change.heightBytes);
  archive.always("gainBytes", change.gainBytes);
}

template <typename Archive> void fields(Archive &archive, PlanReport &report) {
  archive.always("heightBytes", report.heightBytes);
  archive.always("boundBytes", report.boundBytes);
  archive.always("gapBytes", report.gapBytes);
  archive.always("proof", report.proof);
  archive.always("certificate", report.certificate);
  archive.always("searchNodes", report.searchNodes);
  archive.always("buffers", report.buffers);
  archive("capacityBytes", report.capacityBytes);
  archive("fits", report.fits);
  archive("point", report.point);
  archive("liveSet", report.liveSet);
  archive("core", report.core);
  archive("savings", report.savings);
}

} // namespace tilescope
