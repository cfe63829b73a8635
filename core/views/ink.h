// Colour of printed views. A stream that shows no colours gets plain text.
#pragma once

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

struct Ink {
  enum Kind : uint8_t {
    Plain,
    Strong, // headings
    Good,   // proven, sound
    Bad,    // conflicts, over capacity, failures; nothing else is red
    Notice, // changed
    Quiet,
    Hue, // a buffer: its hue in every view
  };
  Kind kind = Plain;
  int hueDegrees = 0; // Hue only; see hueDegrees(BufferKey)

  static Ink ofHue(int hueDegrees) { return {Hue, hueDegrees}; }
};

void write(llvm::raw_ostream &out, llvm::StringRef text, Ink ink);

} // namespace tilescope
