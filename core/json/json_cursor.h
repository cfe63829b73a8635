// Reads JSON text from front to back without building a tree: whoever reads knows what comes next,
// and what nobody asks for is skipped. The text is untrusted: grammar (RFC 8259), UTF-8 and depth
// are checked for everything that is read or skipped.
//
//   JsonCursor cursor(text, /*maxDepth=*/16);
//   if (cursor.beginObject())
//     while (cursor.nextKey(key))       each key must be followed by one read or skip of its value
//       ...
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"

#include <cstdint>
#include <cstring>
#include <string>

namespace tilescope {

class JsonCursor {
public:
  // The text must outlive the cursor.
  JsonCursor(llvm::StringRef text, int maxDepth)
      : at_(text.begin()), end_(text.end()), maxDepth_(maxDepth) {}

  // The text is no JSON, or nested too deeply. Nothing can be read from here on.
  bool isMalformed() const { return isMalformed_; }
  // Whether one value was read or skipped and nothing comes after it.
  bool isAtEnd() { return !isMalformed_ && depth_ == 0 && peek() == 0; }

  // Each reads one value. False: the text is malformed, or the value is of another type; then the
  // cursor stands somewhere in it, and `rewind` leads back.
  bool beginObject() { return begin('{'); }
  bool beginArray() { return begin('['); }
  bool readString(std::string &value);
  // The same without a copy where the text has no escape; else through `scratch`.
  bool readString(llvm::StringRef &value, std::string &scratch);
  bool readBool(bool &value);
  // The sign and the digits of an integer; false also if it has a fraction, an exponent, or more
  // digits than 64 bits hold.
  bool readInteger(bool &isNegative, uint64_t &magnitude) {
    // The usual number: few digits, and a comma or bracket after them.
    const char *at = at_;
    isNegative = false;
    for (magnitude = 0; end_ - at > 1 && '0' <= *at && *at <= '9' && at - at_ < 18; ++at)
      magnitude = magnitude * 10 + static_cast<uint64_t>(*at - '0');
    bool ends = at != at_ && (*at == ',' || *at == ']' || *at == '}');
    if (!ends || (*at_ == '0' && at - at_ > 1))
      return readAnyInteger(isNegative, magnitude);
    at_ = at;
    return true;
  }
  // True if the value is null, which is then read.
  bool readNull() { return peek() == 'n' && readWord("null"); }
  void skipValue();

  // False: the object or array ends here. The key is valid until the next call.
  bool nextKey(llvm::StringRef &key) { return nextMember() && readKey(key); }
  bool nextElement() { return next(']'); }

  // `nextKey` in two steps. A key that stands there just as `name` is quickly taken by `takeKey`;
  // every key is read by `readKey`. `name` has nothing that needs an escape. Inlined, so that its
  // size is known where it is compared.
  bool nextMember() { return next('}') && (peek() == '"' || fail()); }
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool takeKey(llvm::StringRef name) {
    size_t size = name.size();
    if (static_cast<size_t>(end_ - at_) < size + 3 || at_[size + 1] != '"' ||
        at_[size + 2] != ':' || std::memcmp(at_ + 1, name.data(), size) != 0)
      return false;
    at_ += size + 3;
    return true;
  }
  bool readKey(llvm::StringRef &key);

  // A place to return to: before a value, or after a key.
  struct Place {
    const char *at;
    int depth;
    bool isFirst;
  };
  Place place() const { return {at_, depth_, isFirst_}; }
  void rewind(const Place &place) {
    at_ = place.at;
    depth_ = place.depth;
    isFirst_ = place.isFirst;
  }

private:
  bool fail() {
    isMalformed_ = true;
    at_ = end_;
    return false;
  }
  // The next character that is no blank; 0 at the end.
  char peek() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r'))
      ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  bool begin(char open) {
    if (peek() != open)
      return false;
    if (++depth_ > maxDepth_)
      return fail();
    ++at_;
    isFirst_ = true;
    return true;
  }
  bool next(char close) {
    char c = peek();
    if (c == close) {
      ++at_;
      --depth_;
      isFirst_ = false;
      return false;
    }
    if (!isFirst_) {
      if (c != ',')
        return fail();
      ++at_;
    }
    isFirst_ = false;
    return !isMalformed_;
  }
  bool readWord(llvm::StringRef word);
  // The text between the quotes as it stands; `isPlain`: there is no escape in it.
  bool scanString(llvm::StringRef &raw, bool &isPlain) {
    const char *begin = ++at_;
    for (const char *at = begin; end_ - at >= 8; at += 8) {
      uint64_t special = specialBytes(at);
      if (special == 0)
        continue;
      at += llvm::countr_zero(special) / 8;
      if (*at != '"')
        break;
      raw = llvm::StringRef(begin, static_cast<size_t>(at - begin));
      at_ = at + 1;
      return isPlain = true;
    }
    return scanRest(raw, isPlain);
  }
  // From `at_`, just after the quote.
  bool scanRest(llvm::StringRef &raw, bool &isPlain);
  // The lowest bit that is set lies in the first of eight bytes that ends or complicates a string:
  // a quote, a backslash, a control character, or a byte of 128 and above. Bytes are tested in
  // parallel: for a byte b below 128 the high bit of b - n is set exactly if b < n; what is
  // borrowed spoils higher bytes only.
  static uint64_t specialBytes(const char *at) {
    constexpr uint64_t Ones = 0x0101010101010101, High = 0x8080808080808080;
    uint64_t bytes = 0;
    std::memcpy(&bytes, at, 8);
    auto zeroBytes = [](uint64_t x) { return (x - Ones) & ~x; };
    return (zeroBytes(bytes ^ (Ones * '"')) | zeroBytes(bytes ^ (Ones * '\\')) |
            (bytes - Ones * 0x20) | bytes) &
           High;
  }
  bool readAnyInteger(bool &isNegative, uint64_t &magnitude);
  bool scanNumber(llvm::StringRef &number);
  bool unescape(llvm::StringRef raw, std::string &value);
  bool unescapeUnicode(llvm::StringRef &rest, std::string &value);
  void skipContainer(bool isObject);

  const char *at_;
  const char *end_;
  int depth_ = 0;
  int maxDepth_;
  bool isFirst_ = false; // just after the bracket that opens an object or array
  bool isMalformed_ = false;
  std::string key_; // one that had escapes
};

} // namespace tilescope
