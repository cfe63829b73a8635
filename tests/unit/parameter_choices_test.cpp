// Run alone: unit_tests --gtest_filter='ParameterChoices*'
#include "core/driver/parameter_choices.h"
#include "core/support/dtype.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

using Choices = std::vector<std::string>;

const char *const Lines =
    "# tilescope: f --set M=1024 --set act=gelu --set b=true --set scale=1e3\n"
    "# tilescope: f --set M=64 --set 'act=\"relu\"' --set scale=.5\n"
    "# tilescope: g --set M=7\n"
    "# tilescope: f --set M=1024 --set \"tile=(8, 16)\" --set kind=T.x\n";

Choices choicesOf(const char *name, const char *type, const char *defaultLiteral = "") {
  ElaboratedParameter parameter;
  parameter.name = name;
  parameter.type = type;
  parameter.defaultLiteral = defaultLiteral;
  return ParameterChoices(Lines, "f").of(parameter);
}

TEST(ParameterChoices, AreWhatTheFileSetsAndTheDefault) {
  EXPECT_EQ(choicesOf("M", "int", "256"), (Choices{"64", "256", "1024"}));
  EXPECT_EQ(choicesOf("M", "int"), (Choices{"64", "1024"}));
  EXPECT_EQ(choicesOf("N", "int", "8"), Choices{"8"});
  EXPECT_EQ(choicesOf("scale", "float", "nan"), (Choices{".5", "1e3", "nan"}));
}

TEST(ParameterChoices, ArePythonLiterals) {
  EXPECT_EQ(choicesOf("act", "str", "'relu'"), (Choices{"'gelu'", "'relu'"}));
  EXPECT_EQ(choicesOf("tile", "tuple", "(1, 2)"), (Choices{"(1, 2)", "(8, 16)"}));
  EXPECT_EQ(choicesOf("kind", "str"), Choices{"'x'"});
  EXPECT_EQ(choicesOf("b", "NoneType", "None"), (Choices{"None", "True"}));
}

TEST(ParameterChoices, OfTypesThatAreKnownAreAll) {
  EXPECT_EQ(choicesOf("b", "bool"), (Choices{"False", "True"}));
  Choices dtypes = choicesOf("d", "dtype", "'float16'");
  EXPECT_EQ(dtypes.size(), allDTypes().size());
  EXPECT_TRUE(llvm::is_contained(dtypes, "'bfloat16'"));
}

TEST(ParameterChoices, OfNoTypeAreNone) { EXPECT_EQ(choicesOf("M", "", "1"), Choices{}); }

TEST(ParameterChoices, AreNotTakenFromBadLines) {
  ElaboratedParameter parameter;
  parameter.name = "M";
  parameter.type = "int";
  parameter.defaultLiteral = "4";
  EXPECT_EQ(ParameterChoices("# tilescope: f --set M=1\n# tilescope: f --dim\n", "f").of(parameter),
            Choices{"4"});
}

TEST(DTypes, AllAreReadByTheirNames) {
  for (DType dtype : allDTypes())
    EXPECT_EQ(parseDType(dtype.name()), dtype) << dtype.name();
}

} // namespace
