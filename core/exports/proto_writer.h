// The wire format of protocol buffers, as far as we write it: a field is a varint (its number and
// kind) and then a varint, or a length and bytes.
//
//     field 9 = 1         48 01            (9 << 3 | 0), 1
//     field 23 = "abc"    ba 01 03 61 62 63   (23 << 3 | 2), 3, "abc"
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tilescope {

class ProtoWriter {
public:
  // Of types uint32, uint64, int64 (negative numbers take ten bytes), bool and enums.
  void number(uint32_t field, uint64_t value);
  // A string must be UTF-8.
  void bytes(uint32_t field, llvm::StringRef value);
  void message(uint32_t field, const ProtoWriter &value) { bytes(field, value.text_); }

  const std::string &text() const { return text_; }

private:
  void varint(uint64_t value);

  std::string text_;
};

} // namespace tilescope
