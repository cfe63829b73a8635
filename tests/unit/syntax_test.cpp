// Run alone: unit_tests --gtest_filter='Syntax*'
#include "core/views/syntax.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

// "keyword:for number:0"
std::string words(llvm::StringRef line, CodeLanguage language, CodeState &state) {
  static constexpr const char *Kinds[] = {"comment", "string", "number", "keyword", "metadata"};
  std::string text;
  for (const SyntaxSpan &part : syntaxOf(line, language, state))
    text += (text.empty() ? "" : " ") + std::string(Kinds[static_cast<size_t>(part.kind)]) + ":" +
            textOf(line, part.span).str();
  return text;
}

std::string words(llvm::StringRef line, CodeLanguage language) {
  CodeState state = CodeState::Code;
  return words(line, language, state);
}

TEST(SyntaxTest, Python) {
  EXPECT_EQ(words("    for k in T.serial(0, 12): # twelve", CodeLanguage::Python),
            "keyword:for keyword:in number:0 number:12 comment:# twelve");
  EXPECT_EQ(words(R"(x2 = T.alloc((2,), "a\"b", 1.5e-3))", CodeLanguage::Python),
            R"(number:2 string:"a\"b" number:1.5e-3)");
}

// What TileLang's compiler says of a loop, a function or a block besides.
TEST(SyntaxTest, Metadata) {
  EXPECT_EQ(
      words(R"(for k in T.serial(8, annotations={"a": {"b": 2}}) if 1)", CodeLanguage::Python),
      R"(keyword:for keyword:in number:8 metadata:annotations={"a": {"b": 2}} keyword:if )"
      "number:1");
  EXPECT_EQ(words("x(annotations={\"a\"", CodeLanguage::Python), "metadata:annotations={\"a\"");
  EXPECT_EQ(words("x(my_annotations={1})", CodeLanguage::Python), "number:1");
  EXPECT_TRUE(isMetadata("@T.prim_func(properties=[\"tile\"])"));
  EXPECT_TRUE(isMetadata("    T.func_attr({\"tilelang_out_idx\": [-1]})"));
  EXPECT_FALSE(isMetadata("    T.copy(A, B)"));
}

TEST(SyntaxTest, Cuda) {
  EXPECT_EQ(words("  const half *p = q; // int", CodeLanguage::Cuda),
            "keyword:const keyword:half comment:// int");
  EXPECT_EQ(words("__global__ void f(float x = 0x1fu)", CodeLanguage::Cuda),
            "keyword:__global__ keyword:void keyword:float number:0x1fu");
  EXPECT_EQ(words("a /* b */ 1", CodeLanguage::Cuda), "comment:/* b */ number:1");
}

TEST(SyntaxTest, WhatGoesOverSeveralLines) {
  CodeState state = CodeState::Code;
  EXPECT_EQ(words("  \"\"\"Multiplies,", CodeLanguage::Python, state), "string:\"\"\"Multiplies,");
  EXPECT_EQ(words("  for all M # 3", CodeLanguage::Python, state), "string:  for all M # 3");
  EXPECT_EQ(words("N\"\"\" if 1", CodeLanguage::Python, state),
            "string:N\"\"\" keyword:if number:1");
  EXPECT_EQ(words("/* for", CodeLanguage::Cuda, state), "comment:/* for");
  EXPECT_EQ(words("*/ for", CodeLanguage::Cuda, state), "comment:*/ keyword:for");
}

TEST(SyntaxTest, WhatDoesNotEndIsNotReadBeyondItsLine) {
  EXPECT_EQ(words("\"abc\\", CodeLanguage::Python), "string:\"abc\\");
  EXPECT_EQ(words("", CodeLanguage::Cuda), "");
  EXPECT_EQ(words("for", CodeLanguage::None), "");
}

} // namespace
