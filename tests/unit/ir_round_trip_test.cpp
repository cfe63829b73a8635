// What is printed reads back as the same program.
#include "core/ir/printer.h"
#include "ir_dump.h"
#include "ir_text.h"
#include "random_ir.h"

namespace tilescope {
namespace {

constexpr unsigned Programs = 150;

// Null, and a failed test, if anything is reported. `kernel` is the file of spans in tags.
const Module *readBack(Context &context, const std::string &text, FileId kernel) {
  SourceFiles files;
  Diagnostics diagnostics;
  FileId file = files.add("printed.py", text);
  const Module *module = readModule(context, file, files, diagnostics, kernel);
  EXPECT_TRUE(module) << renderAll(diagnostics, files);
  return module;
}

TEST(IrRoundTripTest, RandomProgramsVerify) {
  for (unsigned seed = 0; seed < Programs; ++seed) {
    Context context;
    SourceFiles files;
    Diagnostics diagnostics;
    const Module *module = randomModule(context, seed, true);
    ASSERT_TRUE(verifyModule(*module, diagnostics))
        << renderAll(diagnostics, files) << printModule(*module, true);
  }
}

TEST(IrRoundTripTest, TaggedTextIsExact) {
  for (unsigned seed = 0; seed < Programs; ++seed) {
    Context context, other;
    const Module *module = randomModule(context, seed, true);
    std::string text = printModule(*module, true);
    const Module *again = readBack(other, text, FileId(7));
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(dumpModule(*again, true), dumpModule(*module, true)) << text;
    ASSERT_EQ(printModule(*again, true), text);
  }
}

TEST(IrRoundTripTest, PlainTextIsExactUpToIds) {
  for (unsigned seed = 0; seed < Programs; ++seed) {
    Context context, other;
    const Module *module = randomModule(context, seed, false);
    std::string text = printModule(*module, false);
    const Module *again = readBack(other, text, FileId());
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(dumpModule(*again, false), dumpModule(*module, false)) << text;
    ASSERT_EQ(printModule(*again, false), text);
  }
}

} // namespace
} // namespace tilescope
