#include "core/support/terminal_text.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// C0, DEL, and C1 as UTF-8 has it (0xC2 0x80 to 0xC2 0x9F).
bool isControl(llvm::StringRef text, size_t at) {
  auto byte = static_cast<unsigned char>(text[at]);
  if (byte == '\n' || byte == '\t' || (byte == '\r' && text.substr(at + 1).starts_with("\n")))
    return false;
  if (byte < 0x20 || byte == 0x7F)
    return true;
  bool isC1 = byte >= 0x80 && byte < 0xA0;
  return isC1 && at > 0 && static_cast<unsigned char>(text[at - 1]) == 0xC2;
}

} // namespace

std::string escapeControls(llvm::StringRef text) {
  std::string escaped;
  for (size_t at = 0; at != text.size(); ++at) {
    if (!isControl(text, at)) {
      escaped += text[at];
      continue;
    }
    auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x80)
      escaped.pop_back();
    escaped += "\\x" + llvm::utohexstr(byte, /*LowerCase=*/true, /*Width=*/2);
  }
  return escaped;
}

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
  out_ << escapeControls(llvm::StringRef(text, size));
}

} // namespace tilescope
