// Verdicts as a trace file has them: true, false, or left out where nothing was established.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

struct RecordedVerdicts {
  std::optional<bool> verified;
  std::optional<bool> arenaSound;
  std::optional<bool> hazardFree;

  RecordedVerdicts() = default;
  explicit RecordedVerdicts(const TraceVerdicts &verdicts)
      : verified(recorded(verdicts.verified)), arenaSound(recorded(verdicts.arenaSound)),
        hazardFree(recorded(verdicts.hazardFree)) {}

  TraceVerdicts verdicts() const { return {read(verified), read(arenaSound), read(hazardFree)}; }

private:
  static std::optional<bool> recorded(Verdict verdict) {
    return verdict == Verdict::NotEstablished ? std::nullopt
                                              : std::optional(verdict == Verdict::Yes);
  }
  static Verdict read(std::optional<bool> verdict) {
    return verdict ? verdictOf(*verdict) : Verdict::NotEstablished;
  }
};

template <typename Archive> void fields(Archive &archive, RecordedVerdicts &verdicts) {
  archive("verified", verdicts.verified);
  archive("arenaSound", verdicts.arenaSound);
  archive("hazardFree", verdicts.hazardFree);
}

} // namespace tilescope
