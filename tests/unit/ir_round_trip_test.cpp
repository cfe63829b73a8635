// What is printed reads back as the same program.
#include "core/ir/printer.h"
#include "ir_dump.h"
#include "ir_text.h"
#include "random_ir.h"

#include <random>

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

// Text comes from strangers: whatever it says, it is read or reported.
TEST(IrRoundTripTest, DamagedTextIsReadOrReported) {
  constexpr unsigned Damages = 3000;
  constexpr char Pieces[] = "()[]{}:,=.#@\"'-+0179 \nTsbv\\";
  std::mt19937 random(1);
  for (unsigned round = 0; round < Damages; ++round) {
    Context context, other;
    std::string text = printModule(*randomModule(context, round % 20, true), true);
    for (unsigned count = 1 + random() % 3; count > 0; --count) {
      size_t at = random() % text.size();
      size_t length = random() % 2 == 0 ? 1 : random() % 40;
      std::string piece(random() % 3, Pieces[random() % (sizeof(Pieces) - 1)]);
      text.replace(at, length,
                   random() % 4 == 0 ? text.substr(random() % text.size(), length) : piece);
    }
    SourceFiles files;
    Diagnostics diagnostics;
    FileId file = files.add("damaged.py", text);
    const Module *module = readModule(other, file, files, diagnostics);
    ASSERT_TRUE(module || diagnostics.hasErrors()) << text;
    if (module && verifyModule(*module, diagnostics))
      printModule(*module, true);
    renderAll(diagnostics, files);
  }
}

} // namespace
} // namespace tilescope
