#include "core/codegen/launch_values.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(LaunchValuesTest, Evaluates) {
  ScalarValues values{{"m", 1000}, {"n", -7}};
  auto valueOf = [&](llvm::StringRef text) {
    return llvm::cantFail(evaluateLaunchText(text, values));
  };
  EXPECT_EQ(valueOf("(m + 127) // 128"), 8);
  EXPECT_EQ(valueOf("n // 2 * 2 + n % 2"), -7);
  EXPECT_EQ(valueOf("-n - 2 - 1"), 4);
  EXPECT_EQ(valueOf("T.min(T.int64(m), T.max(3, 4)) * 2"), 8);
  EXPECT_EQ(valueOf("T.cast(m, \"int64\")"), 1000);
}

TEST(LaunchValuesTest, SaysWhatIsWrong) {
  for (const char *text :
       {"k", "1 +", "1 2", "T.exp(1, 2)", "(1", "1 // 0", "1.5", "99999999999999999999"}) {
    llvm::Expected<int64_t> value = evaluateLaunchText(text, {});
    EXPECT_FALSE(static_cast<bool>(value)) << text;
    EXPECT_NE(llvm::toString(value.takeError()).find(text), std::string::npos);
  }
}

} // namespace
} // namespace tilescope
