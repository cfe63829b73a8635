#include "core/support/terminal_text.h"

#include "core/support/printable.h"

namespace tilescope {

TerminalText::TerminalText(llvm::raw_ostream &out) : out_(out) {
  SetUnbuffered();
  enable_colors(out.colors_enabled());
}

llvm::raw_ostream &TerminalText::changeColor(enum Colors color, bool bold, bool isBackground) {
  out_.changeColor(color, bold, isBackground);
  return *this;
}

llvm::raw_ostream &TerminalText::resetColor() {
  out_.resetColor();
  return *this;
}

llvm::raw_ostream &TerminalText::reverseColor() {
  out_.reverseColor();
  return *this;
}

void TerminalText::write_impl(const char *text, size_t size) {
  out_ << withoutControls({text, size}, "\n\t");
}

} // namespace tilescope
