// Run alone: unit_tests --gtest_filter='JsonReader*'
#include "core/json/json_reader.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

struct Inner {
  int64_t number = 7;
  std::string text;
};
struct Outer {
  Inner inner;
  std::vector<Inner> inners;
  std::vector<uint32_t> small;
  std::optional<bool> flag;
  StmtId stmt;
};

template <typename Archive> void fields(Archive &archive, Inner &inner) {
  archive("number", inner.number);
  archive("text", inner.text);
}
template <typename Archive> void fields(Archive &archive, Outer &outer) {
  archive("inner", outer.inner);
  archive("inners", outer.inners);
  archive("small", outer.small);
  archive("flag", outer.flag);
  archive("stmt", outer.stmt);
}

constexpr int Depth = 6;

Outer outerOf(llvm::StringRef text) {
  Outer outer;
  std::string error;
  EXPECT_EQ(readJson(text, Depth, outer, error), JsonFault::None) << text.str() << ": " << error;
  return outer;
}

// "" for JSON, a cause for a wrong field.
std::string faultOf(llvm::StringRef text) {
  Outer outer;
  std::string error;
  JsonFault fault = readJson(text, Depth, outer, error);
  return fault == JsonFault::NotJson ? "no JSON" : error;
}

bool isJson(const std::string &value) { return faultOf("{\"other\":" + value + "}").empty(); }

TEST(JsonReaderTest, TakesFieldsInAnyOrderAndSkipsOthers) {
  Outer outer = outerOf(R"( { "stmt" : 3, "x": [{"inner": {"number": 1}}], "small":[1,2,3],
      "inners":[{"text":"a","number":-4},{}], "y":null, "inner":{"z":{},"number":9} } )");
  EXPECT_EQ(outer.stmt, StmtId(3));
  EXPECT_EQ(outer.small, (std::vector<uint32_t>{1, 2, 3}));
  ASSERT_EQ(outer.inners.size(), 2U);
  EXPECT_EQ(outer.inners[0].text, "a");
  EXPECT_EQ(outer.inners[0].number, -4);
  EXPECT_EQ(outer.inners[1].number, 7); // the default
  EXPECT_EQ(outer.inner.number, 9);
  EXPECT_FALSE(outer.flag);
  EXPECT_EQ(outerOf(R"({"flag":true,"stmt":null})").flag, true);
}

TEST(JsonReaderTest, DecodesEscapes) {
  auto textOf = [](const std::string &text) {
    return outerOf("{\"inner\":{\"text\":\"" + text + "\"}}").inner.text;
  };
  EXPECT_EQ(textOf("a plain text of more than eight bytes"),
            "a plain text of more than eight bytes");
  EXPECT_EQ(textOf(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(textOf(R"(x\u0041\u00e9\u20AC\ud83d\ude00y)"),
            "xA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80y");
  EXPECT_EQ(textOf("\xE2\x82\xAC"), "\xE2\x82\xAC");
  EXPECT_EQ(outerOf(R"({"inn\u0065r":{"number":2}})").inner.number, 2);
}

TEST(JsonReaderTest, NamesTheFirstWrongField) {
  EXPECT_EQ(faultOf(R"({"inner":{"number":"x"},"small":5})"),
            "field 'number' has a wrong type or value");
  EXPECT_EQ(faultOf(R"({"small":[1,-2]})"), "field 'small' has a wrong type or value");
  EXPECT_EQ(faultOf(R"({"small":[4294967296]})"), "field 'small' has a wrong type or value");
  EXPECT_EQ(faultOf(R"({"inner":{"number":1.0}})"), "field 'number' has a wrong type or value");
  EXPECT_EQ(faultOf(R"({"inner":{"number":9223372036854775808}})"),
            "field 'number' has a wrong type or value");
  EXPECT_EQ(faultOf(R"({"inner":{"number":99999999999999999999999}})"),
            "field 'number' has a wrong type or value");
  EXPECT_EQ(outerOf(R"({"inner":{"number":-9223372036854775808}})").inner.number,
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(faultOf(R"({"inner":[]})"), "field 'inner' has a wrong type or value");
  // What is wrong is skipped, and the rest is still checked.
  EXPECT_EQ(faultOf(R"({"inner":{"number":"x"},)"), "no JSON");
}

TEST(JsonReaderTest, RefusesWhatIsNoJson) {
  for (const char *value : {"",
                            "tru",
                            "nul",
                            "01",
                            "-",
                            "-01",
                            "1.",
                            ".5",
                            "1e",
                            "+1",
                            "[1,]",
                            "[1 2]",
                            "{\"a\"}",
                            "{\"a\":1,}",
                            "{a:1}",
                            "[,1]",
                            "\"\\x\"",
                            "\"\\u12\"",
                            "\"\\ud800\"",
                            "\"\\ude00\"",
                            "\"a\tb\"",
                            "\"\xff\"",
                            "\"\xC0\x80\"",
                            "\"open",
                            "\"\\",
                            "[",
                            "{",
                            "]",
                            "1 1"})
    EXPECT_FALSE(isJson(value)) << value;
  for (const char *value : {"0", "-0", "1.5e+3", "[ ]", "{ }", "\"\"", "[[],{}]", "false"})
    EXPECT_TRUE(isJson(value)) << value;
  EXPECT_EQ(faultOf(""), "no JSON");
  EXPECT_EQ(faultOf("[]"), "no JSON");
  EXPECT_EQ(faultOf("{} x"), "no JSON");
}

TEST(JsonReaderTest, BoundsTheDepth) {
  auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(isJson(nested(Depth - 1)));
  EXPECT_FALSE(isJson(nested(Depth)));
  EXPECT_FALSE(isJson(nested(100'000)));
}

TEST(JsonReaderTest, RefusesEveryBeginningOfAText) {
  llvm::StringRef text = R"({"inner":{"text":"a\u20ACb","number":12},"other":[true,null,-1.5e3]})";
  EXPECT_EQ(faultOf(text), "");
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(faultOf(text.take_front(length)), "no JSON") << length;
}

} // namespace
