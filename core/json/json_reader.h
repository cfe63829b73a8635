// JSON into plain structs that list their fields (core/json/archive.h), straight from the text.
//
// Reading keeps the default where a field is missing, skips what it does not know, and notes the
// first field of a wrong type: input is untrusted, so nothing is taken without a check.
#pragma once

#include "core/json/archive.h"
#include "core/json/json_cursor.h"

namespace tilescope {

// False: the value has a wrong type, or the text is malformed. `error` is set at the first field of
// a wrong type. The value may be changed in part.
template <typename T> bool readValue(JsonCursor &cursor, T &value, std::string &error);

// The archive that `fields` of a struct is called with. The fields of a struct are mostly in the
// order of its `fields`, some left out: one call then takes them all. It is called again as long as
// there are keys left. A key that no call takes as it stands is read, which takes care of blanks
// and escapes; if then no call takes it, it is skipped.
class JsonReader {
public:
  JsonReader(JsonCursor &cursor, std::string &error) : cursor_(cursor), error_(error) { advance(); }

  template <typename T> LLVM_ATTRIBUTE_ALWAYS_INLINE void operator()(const char *name, T &value) {
    if (hasKey_ && (isKeyRead_ ? key_ == name : cursor_.takeKey(name)))
      take(name, value);
  }
  template <typename T> void always(const char *name, T &value) { (*this)(name, value); }

  bool hasKey() const { return hasKey_; }
  // How many fields were taken so far.
  size_t taken() const { return taken_; }
  // After a call that took nothing.
  void readOrSkip() {
    if (isKeyRead_) {
      cursor_.skipValue();
      advance();
    } else {
      isKeyRead_ = hasKey_ = cursor_.readKey(key_);
    }
  }

private:
  void advance() {
    hasKey_ = cursor_.nextMember();
    isKeyRead_ = false;
  }
  template <typename T> void take(const char *name, T &value) {
    JsonCursor::Place place = cursor_.place();
    if (!readValue(cursor_, value, error_) && !cursor_.isMalformed()) {
      if (error_.empty())
        error_ = std::string("field '") + name + "' has a wrong type or value";
      cursor_.rewind(place);
      cursor_.skipValue();
    }
    ++taken_;
    advance();
  }

  JsonCursor &cursor_;
  std::string &error_;
  llvm::StringRef key_; // once it is read
  bool hasKey_ = false;
  bool isKeyRead_ = false;
  size_t taken_ = 0;
};

namespace json_detail {

template <typename T> bool readInteger(JsonCursor &cursor, T &value) {
  bool isNegative = false;
  uint64_t magnitude = 0;
  if (!cursor.readInteger(isNegative, magnitude))
    return false;
  value = static_cast<T>(isNegative ? 0 - magnitude : magnitude);
  constexpr auto Max = static_cast<uint64_t>(std::numeric_limits<T>::max());
  return magnitude <= Max + (isNegative && std::is_signed_v<T>) &&
         !(isNegative && std::is_unsigned_v<T> && magnitude != 0);
}

inline bool readSpan(JsonCursor &cursor, Span &span) {
  if (!cursor.beginArray())
    return false;
  span.file = FileId(0); // a trace holds one kernel file
  for (uint32_t *number : {&span.line, &span.column, &span.endLine, &span.endColumn})
    if (!cursor.nextElement() || !readInteger(cursor, *number))
      return false;
  return !cursor.nextElement();
}

template <typename E> bool readEnum(JsonCursor &cursor, E &value) {
  llvm::StringRef text;
  std::string scratch;
  if (!cursor.readString(text, scratch))
    return false;
  for (size_t i = 0; i < std::size(EnumNames<E>::Names); ++i) {
    if (text != EnumNames<E>::Names[i])
      continue;
    value = static_cast<E>(i);
    return true;
  }
  return false;
}

template <typename T>
bool readElements(JsonCursor &cursor, std::vector<T> &values, std::string &error) {
  values.clear();
  while (cursor.nextElement())
    if (!readValue(cursor, values.emplace_back(), error))
      return false;
  return true;
}

template <typename T>
bool readVector(JsonCursor &cursor, std::vector<T> &values, std::string &error) {
  if (!cursor.beginArray())
    return false;
  // A trace has very many short vectors: each is allocated once, as large as it is. A value may
  // hold a vector of its own kind, so what is kept is taken while it is in use. A long one is not
  // moved again: what it has allocated beyond its end is never touched.
  constexpr size_t KeptBytes = size_t(1) << 16;
  thread_local std::vector<T> kept;
  std::vector<T> scratch = std::move(kept);
  bool isRead = readElements(cursor, scratch, error);
  if (scratch.capacity() * sizeof(T) > KeptBytes) {
    values = std::move(scratch);
    return isRead;
  }
  values.assign(std::make_move_iterator(scratch.begin()), std::make_move_iterator(scratch.end()));
  scratch.clear();
  kept = std::move(scratch);
  return isRead;
}

template <typename T>
bool readMap(JsonCursor &cursor, std::map<std::string, T> &values, std::string &error) {
  values.clear();
  if (!cursor.beginObject())
    return false;
  llvm::StringRef key;
  while (cursor.nextKey(key))
    if (!readValue(cursor, values[key.str()], error))
      return false;
  return true;
}

template <typename T> bool readStruct(JsonCursor &cursor, T &value, std::string &error) {
  if (!cursor.beginObject())
    return false;
  JsonReader reader(cursor, error);
  while (reader.hasKey()) {
    size_t taken = reader.taken();
    fields(reader, value);
    if (reader.hasKey() && reader.taken() == taken)
      reader.readOrSkip();
  }
  return error.empty();
}

} // namespace json_detail

template <typename T> bool readValue(JsonCursor &cursor, T &value, std::string &error) {
  if constexpr (requires { readCompact(cursor, value, error); }) {
    return readCompact(cursor, value, error);
  } else if constexpr (std::is_same_v<T, Span>) {
    return json_detail::readSpan(cursor, value);
  } else if constexpr (IsId<T>) {
    value = T();
    return cursor.readNull() || json_detail::readInteger(cursor, value.value);
  } else if constexpr (std::is_enum_v<T>) {
    return json_detail::readEnum(cursor, value);
  } else if constexpr (IsVector<T>) {
    return json_detail::readVector(cursor, value, error);
  } else if constexpr (IsMap<T>) {
    return json_detail::readMap(cursor, value, error);
  } else if constexpr (IsOptional<T>) {
    value.reset();
    return cursor.readNull() || readValue(cursor, value.emplace(), error);
  } else if constexpr (IsPair<T>) {
    return cursor.beginArray() && cursor.nextElement() && readValue(cursor, value.first, error) &&
           cursor.nextElement() && readValue(cursor, value.second, error) && !cursor.nextElement();
  } else if constexpr (std::is_same_v<T, bool>) {
    return cursor.readBool(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return cursor.readString(value);
  } else if constexpr (std::is_integral_v<T>) {
    return json_detail::readInteger(cursor, value);
  } else {
    return json_detail::readStruct(cursor, value, error);
  }
}

// A whole text that is one object.
enum class JsonFault : uint8_t { None, NotJson, WrongField };

template <typename T>
JsonFault readJson(llvm::StringRef text, int maxDepth, T &value, std::string &error) {
  JsonCursor cursor(text, maxDepth);
  bool isObject = readValue(cursor, value, error) || !error.empty();
  if (!isObject || !cursor.isAtEnd())
    return JsonFault::NotJson;
  return error.empty() ? JsonFault::None : JsonFault::WrongField;
}

} // namespace tilescope
