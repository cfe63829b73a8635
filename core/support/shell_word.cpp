#include "core/support/shell_word.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

std::string shellQuoted(llvm::StringRef text) {
  std::string quoted = "'";
  for (char byte : text)
    quoted += byte == '\'' ? "'\\''" : std::string(1, byte);
  return quoted + "'";
}

std::string shellWord(llvm::StringRef text) {
  auto isSafe = [](char byte) {
    return llvm::isAlnum(byte) || llvm::StringRef("_-+=./:,@%").contains(byte);
  };
  return !text.empty() && llvm::all_of(text, isSafe) ? text.str() : shellQuoted(text);
}

} // namespace tilescope
