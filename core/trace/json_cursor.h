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

#include <cstdint>
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
  bool readBool(bool &value);
  // The sign and the digits of an integer; false also if it has a fraction, an exponent, or more
  // digits than 64 bits hold.
  bool readInteger(bool &isNegative, uint64_t &magnitude);
  // True if the value is null, which is then read.
  bool readNull() { return peek() == 'n' && readWord("null"); }
  void skipValue();

  // False: the object or array ends here. The key is valid until the next call.
  bool nextKey(llvm::StringRef &key);
  bool nextElement() { return next(']'); }

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
    return at_ == end_ ? 0 : *at_;
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
  bool scanString(llvm::StringRef &raw, bool &isPlain);
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

inline bool JsonCursor::nextKey(llvm::StringRef &key) {
  if (!next('}'))
    return false;
  bool isPlain = true;
  if (peek() != '"' || !scanString(key, isPlain))
    return fail();
  if (!isPlain) {
    if (!unescape(key, key_))
      return fail();
    key = key_;
  }
  if (peek() != ':')
    return fail();
  ++at_;
  return true;
}

} // namespace tilescope
