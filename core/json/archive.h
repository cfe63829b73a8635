// JSON of plain structs. Each struct lists its fields once, for writing and for reading:
//
//   template <typename Archive> void fields(Archive &archive, Access &access) {
//     archive("buffer", access.buffer);
//     ...
//   }
//
// Writing is a stream of text, without a tree: recording may not slow a compile down. It leaves out
// fields that have their default value, and replaces bytes that are no UTF-8. json_reader.h reads.
#pragma once

#include "core/support/source.h"

#include "llvm/Support/JSON.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilescope {

using Json = nlohmann::ordered_json; // see json_value.h

// Names of an enum's values, in order; specialise next to `fields`.
template <typename E> struct EnumNames;

template <typename T> void writeJson(llvm::json::OStream &out, const T &value);
template <typename T> void writeField(llvm::json::OStream &out, const char *name, const T &value);

namespace json_detail {

template <typename T> bool isZero(const T &value) {
  if constexpr (requires { value.empty(); })
    return value.empty();
  else if constexpr (requires { value == T(); })
    return value == T();
  else
    return false;
}

// Which fields of a default-constructed struct are zero, in order. Only those may be left out where
// they are zero: `versions` is 1 by default, so a 0 must be written.
class ZeroFields {
public:
  template <typename T> void operator()(const char * /*name*/, const T &value) {
    isZero_.push_back(json_detail::isZero(value));
  }
  template <typename T> void always(const char * /*name*/, const T & /*value*/) {
    isZero_.push_back(false);
  }
  bool at(size_t field) const { return isZero_[field]; }

private:
  std::vector<bool> isZero_;
};

} // namespace json_detail

using JsonStream = llvm::json::OStream;

class JsonWriter {
public:
  JsonWriter(JsonStream &out, const json_detail::ZeroFields &zeroByDefault)
      : out_(out), zeroByDefault_(zeroByDefault) {}

  template <typename T> void operator()(const char *name, const T &value) {
    if (!zeroByDefault_.at(field_++) || !json_detail::isZero(value))
      writeField(out_, name, value);
  }
  // For keys that scripts rely on.
  template <typename T> void always(const char *name, const T &value) {
    ++field_;
    writeField(out_, name, value);
  }

private:
  JsonStream &out_;
  const json_detail::ZeroFields &zeroByDefault_;
  size_t field_ = 0;
};

template <typename T> inline constexpr bool IsId = false;
template <typename Tag> inline constexpr bool IsId<Id<Tag>> = true;
template <typename T> inline constexpr bool IsVector = false;
template <typename T> inline constexpr bool IsVector<std::vector<T>> = true;
template <typename T> inline constexpr bool IsOptional = false;
template <typename T> inline constexpr bool IsOptional<std::optional<T>> = true;
template <typename T> inline constexpr bool IsPair = false;
template <typename A, typename B> inline constexpr bool IsPair<std::pair<A, B>> = true;
template <typename T> inline constexpr bool IsMap = false;
template <typename T> inline constexpr bool IsMap<std::map<std::string, T>> = true;

template <typename T> void writeField(JsonStream &out, const char *name, const T &value) {
  out.attributeBegin(name);
  writeJson(out, value);
  out.attributeEnd();
}

// The fields of a struct, into an object that is open.
template <typename T> void writeFields(JsonStream &out, const T &value) {
  // fields() takes a mutable struct for the reader's sake.
  static const json_detail::ZeroFields ZeroByDefault = [] {
    json_detail::ZeroFields zero;
    T defaults;
    fields(zero, defaults);
    return zero;
  }();
  JsonWriter writer(out, ZeroByDefault);
  fields(writer, const_cast<T &>(value));
}

template <typename T> void writeJson(JsonStream &out, const T &value) {
  if constexpr (std::is_same_v<T, Span>) {
    out.array([&] {
      for (uint32_t number : {value.line, value.column, value.endLine, value.endColumn})
        out.value(number);
    });
  } else if constexpr (IsId<T>) {
    value.isValid() ? out.value(value.value) : out.value(nullptr);
  } else if constexpr (std::is_enum_v<T>) {
    out.value(EnumNames<T>::Names[static_cast<size_t>(value)]);
  } else if constexpr (IsVector<T>) {
    out.array([&] {
      for (const auto &item : value)
        writeJson(out, item);
    });
  } else if constexpr (IsMap<T>) {
    out.object([&] {
      for (const auto &[key, item] : value)
        writeField(out, llvm::json::fixUTF8(key).c_str(), item);
    });
  } else if constexpr (IsOptional<T>) {
    value ? writeJson(out, *value) : out.value(nullptr);
  } else if constexpr (IsPair<T>) {
    out.array([&] {
      writeJson(out, value.first);
      writeJson(out, value.second);
    });
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (llvm::json::isUTF8(value))
      out.value(llvm::StringRef(value));
    else
      out.value(llvm::json::fixUTF8(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    out.value(value);
  } else {
    out.object([&] { writeFields(out, value); });
  }
}

} // namespace tilescope
