#include "core/page/shared_json.h"

#include "core/json/json_value.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// As a reader of the page does.
Json whole(const Json &value, const std::vector<Json> &parts) {
  if (!value.is_structured())
    return value;
  if (value.contains("$"))
    return parts[value["$"].get<size_t>()];
  Json result = value;
  for (Json &child : result)
    child = whole(child, parts);
  return result;
}

Json read(const std::string &text) {
  Json written = parseJson(text);
  std::vector<Json> parts;
  for (const Json &part : written["parts"])
    parts.push_back(whole(part, parts));
  return whole(written["root"], parts);
}

TEST(SharedJson, WritesWhatIsRepeatedOnce) {
  Json line = {{"text", "for kb in T.serial(0, 4):"}, {"stmt", 7}};
  std::string text = sharedJson({{"before", {line}}, {"after", {line, 3}}});
  EXPECT_EQ(text, R"({"parts":[{"text":"for kb in T.serial(0, 4):","stmt":7}],)"
                  R"("root":{"before":[{"$":0}],"after":[{"$":0},3]}})");
}

TEST(SharedJson, LeavesShortValuesWhereTheyAre) {
  Json value = {{"a", {1, 2}}, {"b", {1, 2}}, {"c", "yes"}, {"d", "yes"}};
  EXPECT_EQ(sharedJson(value), R"({"parts":[],"root":)" + value.dump() + "}");
}

TEST(SharedJson, GivesPartsOfPartsBack) {
  Json inner = {{"name", "a string of some length"}};
  Json outer = {inner, {{"inner", inner}, {"more", "another string of some length"}}};
  Json value = {{"one", outer}, {"two", outer}, {"three", {inner, "a string of some length"}}};
  EXPECT_EQ(read(sharedJson(value)), value);
}

TEST(SharedJson, TellsKindsApart) {
  Json value = {{"number", 1234567890123456789},
                {"text", "1234567890123456789"},
                {"list", Json::array()},
                {"object", Json::object()},
                {"empty", ""},
                {"null", nullptr}};
  EXPECT_EQ(read(sharedJson({value, value})), Json({value, value}));
}

} // namespace
} // namespace tilescope
