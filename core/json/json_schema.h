// The JSON schema (draft 2020-12) of what writeJson prints of a struct, from the same `fields`.
//
// A field is required where it is always written: `always`, or a default that is not zero. Every
// other is left out at 0, "", false, null and for an empty list. Structs are spelled out in place.
#pragma once

#include "core/json/json_value.h"

namespace tilescope {

template <typename T> Json schemaOf();

// The archive that `fields` of a default-constructed struct is called with.
class SchemaFields {
public:
  template <typename T> void operator()(const char *name, const T &value) {
    properties_[name] = schemaOf<T>();
    if (!json_detail::isZero(value))
      required_.push_back(name);
  }
  template <typename T> void always(const char *name, const T & /*value*/) {
    properties_[name] = schemaOf<T>();
    required_.push_back(name);
  }

  Json take() {
    Json schema = {{"type", "object"}, {"properties", std::move(properties_)}};
    if (!required_.empty())
      schema["required"] = std::move(required_);
    schema["additionalProperties"] = false;
    return schema;
  }

private:
  Json properties_ = Json::object();
  Json required_ = Json::array();
};

template <typename E> Json namesOfEnum() {
  Json names = Json::array();
  for (llvm::StringRef name : EnumNames<E>::Names)
    names.push_back(name.str());
  return {{"enum", std::move(names)}};
}

inline Json tupleSchema(Json items) {
  size_t count = items.size();
  return {{"type", "array"},
          {"prefixItems", std::move(items)},
          {"minItems", count},
          {"maxItems", count}};
}

template <typename T> Json schemaOf() {
  if constexpr (std::is_same_v<T, Span>) {
    return tupleSchema(Json::array(
        {schemaOf<uint32_t>(), schemaOf<uint32_t>(), schemaOf<uint32_t>(), schemaOf<uint32_t>()}));
  } else if constexpr (IsId<T>) {
    return {{"type", {"integer", "null"}}};
  } else if constexpr (std::is_enum_v<T>) {
    return namesOfEnum<T>();
  } else if constexpr (IsVector<T>) {
    return {{"type", "array"}, {"items", schemaOf<typename T::value_type>()}};
  } else if constexpr (IsMap<T>) {
    return {{"type", "object"}, {"additionalProperties", schemaOf<typename T::mapped_type>()}};
  } else if constexpr (IsOptional<T>) {
    return {{"anyOf", {schemaOf<typename T::value_type>(), {{"type", "null"}}}}};
  } else if constexpr (IsPair<T>) {
    return tupleSchema(
        Json::array({schemaOf<typename T::first_type>(), schemaOf<typename T::second_type>()}));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_integral_v<T>) {
    return {{"type", "integer"}};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {{"type", "number"}};
  } else {
    SchemaFields archive;
    T value;
    fields(archive, value);
    return archive.take();
  }
}

} // namespace tilescope
