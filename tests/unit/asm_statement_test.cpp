#include "core/codegen/prelude.h"
#include "core/witness/asm_statement.h"

#include <gtest/gtest.h>

namespace tilescope {

namespace {

std::string replaced(llvm::StringRef text) {
  llvm::Expected<std::string> result = replaceAsmStatements(text);
  return result ? *result : "error: " + llvm::toString(result.takeError());
}

} // namespace

TEST(AsmStatement, BecomesACallOfItsInstruction) {
  EXPECT_EQ(replaced(R"(asm volatile("cp.async.wait_group %0;" :: "n"(Pending) : "memory");)"),
            "(::witness::Instruction<\"cp.async.wait_group\">::run((Pending)));");
  EXPECT_EQ(replaced(R"({ asm volatile("cp.async.commit_group;" ::: "memory"); })"),
            "{ (::witness::Instruction<\"cp.async.commit_group\">::run()); }");
}

TEST(AsmStatement, OperandsStandWhereTheInstructionHasThem) {
  EXPECT_EQ(
      replaced(R"(asm volatile("op {%1, %0}, [%2], 16;" : "+r"(a), "+r"(b) : "r"(f(c, (d))));)"),
      "(::witness::Instruction<\"op\">::run((b), (a), (f(c, (d))), 16));");
}

TEST(AsmStatement, OutputsThatAreOnlyWrittenAreForgotten) {
  EXPECT_EQ(replaced(R"(asm volatile("op %0, %1;" : "=r"(a[0]), "+r"(b));)"),
            "(::witness::forget(a[0]), ::witness::Instruction<\"op\">::run((a[0]), (b)));");
}

TEST(AsmStatement, APredicateOfItsOwnTestsAnOperand) {
  EXPECT_EQ(
      replaced(
          R"(asm volatile("{.reg .pred p; setp.eq.b32 p, %1, 0; op {%0}, p, 1;}" : "+r"(a) : "r"(c));)"),
      "(::witness::Instruction<\"op\">::run((a), (c) == 0, 1));");
}

TEST(AsmStatement, APredicateMayBeTheResult) {
  EXPECT_EQ(
      replaced(
          R"(asm volatile("{.reg .pred p; op p, _, [%1]; selp.u32 %0, 1, 0, p;}" : "=r"(a) : "r"(b));)"),
      "(::witness::forget(a), (a) = ::witness::Instruction<\"op\">::run((b)));");
}

TEST(AsmStatement, LinesKeepTheirNumbers) {
  EXPECT_EQ(replaced("asm volatile(\"op \"\n  \"%0;\"\n  : \"+r\"(a));\nb"),
            "(::witness::Instruction<\"op\">::run((a)))\n\n;\nb");
}

TEST(AsmStatement, CommentsStayAsTheyAre) {
  EXPECT_EQ(replaced("// k.py:3: asm volatile(what)\n"), "// k.py:3: asm volatile(what)\n");
}

TEST(AsmStatement, SaysWhichItCannotRead) {
  EXPECT_EQ(replaced("  asm volatile(text);\n"),
            "error: cannot read the asm statement asm volatile(text);");
  EXPECT_EQ(replaced("asm volatile(\"op %7;\" : \"+r\"(a));"),
            "error: cannot read the asm statement asm volatile(\"op %7;\" : \"+r\"(a));");
}

TEST(AsmStatement, ReadsAllOfThePrelude) {
#define HELPER(Name, printed, text)                                                                \
  EXPECT_EQ(replaced(textOf(Helper::Name)).find("asm volatile"), std::string::npos) << (printed);
#include "core/codegen/prelude.def"
  for (DType sums : {DType::float32(), DType::float16()})
    for (bool isFromRegisters : {false, true}) {
      WgmmaHelper helper{256, DType::float16(), DType::float16(), sums, isFromRegisters};
      EXPECT_EQ(replaced(helper.text()).find("asm volatile"), std::string::npos) << helper.name();
    }
}

} // namespace tilescope
