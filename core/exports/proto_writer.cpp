#include "core/exports/proto_writer.h"

namespace tilescope {

namespace {

enum WireType : uint32_t { Varint = 0, LengthDelimited = 2 };

} // namespace

void ProtoWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    text_ += static_cast<char>(value | 0x80);
  text_ += static_cast<char>(value);
}

void ProtoWriter::number(uint32_t field, uint64_t value) {
  varint(uint64_t(field) << 3 | Varint);
  varint(value);
}

void ProtoWriter::bytes(uint32_t field, llvm::StringRef value) {
  varint(uint64_t(field) << 3 | LengthDelimited);
  varint(value.size());
  text_ += value;
}

} // namespace tilescope
