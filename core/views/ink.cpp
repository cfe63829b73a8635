#include "core/views/ink.h"

#include "core/support/colour.h"
#include "core/support/terminal_text.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

using Stream = llvm::raw_ostream;

void setColour(Stream &out, int colour) {
  std::string sequence = llvm::formatv("\033[38;5;{0}m", colour).str();
  if (auto *terminal = dynamic_cast<TerminalText *>(&out))
    terminal->writeSequence(sequence);
  else
    out << sequence;
}

void begin(Stream &out, Ink ink) {
  switch (ink.kind) {
  case Ink::Plain:
    return;
  case Ink::Strong:
    out.changeColor(Stream::SAVEDCOLOR, /*Bold=*/true);
    return;
  case Ink::Good:
    out.changeColor(Stream::GREEN);
    return;
  case Ink::Bad:
    out.changeColor(Stream::RED, /*Bold=*/true);
    return;
  case Ink::Notice:
    out.changeColor(Stream::YELLOW);
    return;
  case Ink::Quiet:
    out.changeColor(Stream::BRIGHT_BLACK);
    return;
  case Ink::Hue:
    // Of the 256 colours that terminals have; mid-light, for dark and light backgrounds.
    setColour(out, terminalColour(fromHsl(ink.hueDegrees, 65, 58)));
    return;
  }
}

} // namespace

void write(Stream &out, llvm::StringRef text, Ink ink) {
  if (text.empty() || ink.kind == Ink::Plain || !out.colors_enabled()) {
    out << text;
    return;
  }
  begin(out, ink);
  out << text;
  out.resetColor();
}

} // namespace tilescope
