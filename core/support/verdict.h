// The answer of a check. "Yes" is only what was shown, "no" has a finding; whatever stopped the
// check, or was never asked, leaves it not established.
#pragma once

#include <cstdint>

namespace tilescope {

enum class Verdict : uint8_t { NotEstablished, No, Yes };

inline Verdict verdictOf(bool holds) { return holds ? Verdict::Yes : Verdict::No; }

// Of two things that must hold together: no is less than not established, that is less than yes.
inline Verdict allOf(Verdict a, Verdict b) {
  if (a == Verdict::No || b == Verdict::No)
    return Verdict::No;
  return a == Verdict::Yes && b == Verdict::Yes ? Verdict::Yes : Verdict::NotEstablished;
}

// For people.
inline const char *textOf(Verdict verdict) {
  constexpr const char *Texts[] = {"not established", "no", "yes"};
  return Texts[static_cast<uint8_t>(verdict)];
}

// For scripts.
inline const char *nameOf(Verdict verdict) {
  constexpr const char *Names[] = {"not-established", "no", "yes"};
  return Names[static_cast<uint8_t>(verdict)];
}

} // namespace tilescope
