#include "core/codegen/cuda_strings.h"

namespace tilescope {

std::string cudaString(llvm::StringRef text) {
  std::string literal = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '?') {
      literal += c;
      continue;
    }
    literal += '\\';
    for (int shift : {6, 3, 0})
      literal += static_cast<char>('0' + (byte >> shift & 7));
  }
  return literal + '"';
}

} // namespace tilescope
