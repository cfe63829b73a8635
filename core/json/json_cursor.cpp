#include "core/json/json_cursor.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

#include <cstring>

namespace tilescope {

namespace {

bool isDigit(char c) { return '0' <= c && c <= '9'; }
bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20; }
bool isPlainInString(char c) {
  return !isControl(c) && static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '\\';
}

int hexValue(char c) {
  if (isDigit(c))
    return c - '0';
  if ('a' <= c && c <= 'f')
    return c - 'a' + 10;
  return 'A' <= c && c <= 'F' ? c - 'A' + 10 : -1;
}

// Four hexadecimal digits off the front of `rest`; -1 if there are none.
int takeUnit(llvm::StringRef &rest) {
  if (rest.size() < 4)
    return -1;
  int unit = 0;
  for (char c : rest.take_front(4)) {
    int digit = hexValue(c);
    if (digit < 0)
      return -1;
    unit = unit * 16 + digit;
  }
  rest = rest.drop_front(4);
  return unit;
}

} // namespace

bool JsonCursor::scanRest(llvm::StringRef &raw, bool &isPlain) {
  const char *begin = at_;
  const char *at = begin;
  isPlain = true;
  bool isAscii = true;
  while (true) {
    while (end_ - at >= 8 && specialBytes(at) == 0)
      at += 8;
    while (at != end_ && isPlainInString(*at))
      ++at;
    if (at == end_ || isControl(*at))
      return fail();
    if (*at == '"')
      break;
    bool isEscape = *at == '\\';
    isPlain &= !isEscape;
    isAscii &= isEscape;
    if (isEscape && ++at == end_)
      return fail();
    ++at;
  }
  raw = llvm::StringRef(begin, static_cast<size_t>(at - begin));
  at_ = at + 1;
  return isAscii || llvm::json::isUTF8(raw) || fail();
}

bool JsonCursor::readKey(llvm::StringRef &key) {
  if (!readString(key, key_))
    return fail();
  if (peek() != ':')
    return fail();
  ++at_;
  return true;
}

bool JsonCursor::unescapeUnicode(llvm::StringRef &rest, std::string &value) {
  int unit = takeUnit(rest);
  if (unit < 0 || (0xDC00 <= unit && unit < 0xE000))
    return fail();
  auto point = static_cast<uint32_t>(unit);
  if (0xD800 <= unit && unit < 0xDC00) {
    int low = rest.consume_front("\\u") ? takeUnit(rest) : -1;
    if (low < 0xDC00 || low >= 0xE000)
      return fail();
    point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
  }
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = bytes;
  llvm::ConvertCodePointToUTF8(point, end);
  value.append(bytes, end);
  return true;
}

bool JsonCursor::unescape(llvm::StringRef raw, std::string &value) {
  value.clear();
  while (!raw.empty()) {
    size_t plain = std::min(raw.find('\\'), raw.size());
    value += raw.take_front(plain);
    raw = raw.drop_front(plain);
    if (raw.empty())
      break;
    char c = raw[1];
    raw = raw.drop_front(2);
    static constexpr llvm::StringRef Letters = "\"\\/bfnrt", Meanings = "\"\\/\b\f\n\r\t";
    if (size_t letter = Letters.find(c); letter != llvm::StringRef::npos)
      value.push_back(Meanings[letter]);
    else if (c != 'u' || !unescapeUnicode(raw, value))
      return fail();
  }
  return true;
}

bool JsonCursor::readString(std::string &value) {
  llvm::StringRef raw;
  bool isPlain = true;
  if (peek() != '"' || !scanString(raw, isPlain))
    return false;
  if (!isPlain)
    return unescape(raw, value);
  value.assign(raw.data(), raw.size());
  return true;
}

bool JsonCursor::readString(llvm::StringRef &value, std::string &scratch) {
  bool isPlain = true;
  if (peek() != '"' || !scanString(value, isPlain))
    return false;
  if (isPlain)
    return true;
  bool isRead = unescape(value, scratch);
  value = scratch;
  return isRead;
}

bool JsonCursor::readWord(llvm::StringRef word) {
  if (!llvm::StringRef(at_, static_cast<size_t>(end_ - at_)).starts_with(word))
    return fail();
  at_ += word.size();
  return true;
}

bool JsonCursor::readBool(bool &value) {
  char c = peek();
  if (c != 't' && c != 'f')
    return false;
  value = c == 't';
  return readWord(value ? "true" : "false");
}

bool JsonCursor::scanNumber(llvm::StringRef &number) {
  const char *begin = at_;
  auto takeDigits = [&] {
    const char *first = at_;
    while (at_ != end_ && isDigit(*at_))
      ++at_;
    return at_ != first;
  };
  at_ += *at_ == '-';
  const char *digits = at_;
  if (!takeDigits() || (*digits == '0' && at_ - digits > 1))
    return fail();
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (!takeDigits())
      return fail();
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
    ++at_;
    at_ += at_ != end_ && (*at_ == '+' || *at_ == '-');
    if (!takeDigits())
      return fail();
  }
  number = llvm::StringRef(begin, static_cast<size_t>(at_ - begin));
  return true;
}

bool JsonCursor::readAnyInteger(bool &isNegative, uint64_t &magnitude) {
  char c = peek();
  if (c != '-' && !isDigit(c))
    return false;
  llvm::StringRef number;
  if (!scanNumber(number))
    return false;
  isNegative = number.consume_front("-");
  return !number.getAsInteger(10, magnitude);
}

void JsonCursor::skipContainer(bool isObject) {
  // By an explicit stack of the brackets that are open here, one bit each: 1 is an object.
  uint64_t open = isObject;
  int outer = depth_ - 1;
  while (depth_ > outer && !isMalformed_) {
    bool inObject = open & 1;
    llvm::StringRef key;
    if (!(inObject ? nextKey(key) : nextElement())) {
      open >>= 1;
      continue;
    }
    char c = peek();
    if (c == '{' || c == '[') {
      open = open << 1 | (c == '{');
      begin(c);
    } else {
      skipValue();
    }
  }
}

void JsonCursor::skipValue() {
  llvm::StringRef text;
  bool isPlain = true;
  std::string scratch;
  switch (char c = peek()) {
  case '{':
  case '[':
    if (begin(c))
      skipContainer(c == '{');
    return;
  case '"':
    if (scanString(text, isPlain) && !isPlain)
      unescape(text, scratch);
    return;
  case 't':
  case 'f': {
    bool value = false;
    readBool(value);
    return;
  }
  case 'n':
    readNull();
    return;
  default:
    if (c == '-' || isDigit(c))
      scanNumber(text);
    else
      fail();
  }
}

} // namespace tilescope
