#include "core/support/fresh_names.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::string claim(FreshNames &names, llvm::StringRef stem) {
  return names.claim(stem, [](llvm::StringRef name) { return name == "for"; });
}

TEST(FreshNames, NumbersWhatIsInUseOrReserved) {
  FreshNames names;
  EXPECT_EQ(claim(names, "k"), "k");
  EXPECT_EQ(claim(names, "k"), "k_1");
  EXPECT_EQ(claim(names, "k_2"), "k_2");
  EXPECT_EQ(claim(names, "k"), "k_3");
  EXPECT_EQ(claim(names, "for"), "for_1");
}

TEST(FreshNames, GivesTheSmallestReleasedNumberAgain) {
  FreshNames names;
  for (int i = 0; i < 4; ++i)
    claim(names, "k");
  names.release("k_2");
  names.release("k_1");
  EXPECT_EQ(claim(names, "k"), "k_1");
  EXPECT_EQ(claim(names, "k"), "k_2");
  EXPECT_EQ(claim(names, "k"), "k_4");
  names.release("k");
  EXPECT_EQ(claim(names, "k"), "k");
}

// A name that was wished for with its number frees that number too.
TEST(FreshNames, ReleasesNumbersThatWereWishedFor) {
  FreshNames names;
  claim(names, "k_1");
  claim(names, "k");
  EXPECT_EQ(claim(names, "k"), "k_2");
  names.release("k_1");
  EXPECT_EQ(claim(names, "k"), "k_1");
}

} // namespace
} // namespace tilescope
