#include "core/support/caret.h"

namespace tilescope {

// Columns count bytes; a caret stands below a character.
std::string caretBelow(llvm::StringRef text, size_t at) {
  std::string line = text.str(), blanks;
  for (char &byte : line)
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F)
      byte = ' ';
  for (char byte : text.take_front(at))
    if ((static_cast<unsigned char>(byte) & 0xC0) != 0x80)
      blanks += ' ';
  return "\n  " + line + "\n  " + blanks + "^";
}

} // namespace tilescope
