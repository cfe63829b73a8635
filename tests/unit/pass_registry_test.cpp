#include "core/driver/compile.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

// Help and messages list the registry, and readers look for the order of the pipeline. Passes that
// do not run by default come after.
TEST(PassRegistry, StandsInTheOrderOfTheDefaultPipeline) {
  std::string pipeline = defaultPipeline(*llvm::cantFail(findTarget("sm_90a")));
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(pipeline).split(names, ',');
  std::vector<llvm::StringRef> first;
  for (llvm::StringRef name : names)
    if (!llvm::is_contained(first, name))
      first.push_back(name);
  std::vector<llvm::StringRef> registered;
  for (const PassInfo &info : allPasses())
    registered.push_back(info.name);
  ASSERT_GE(registered.size(), first.size());
  registered.resize(first.size());
  EXPECT_EQ(registered, first);
}

TEST(PassRegistry, HelpNamesEveryOptionWithItsDefault) {
  std::string help = passHelp({});
  for (const PassInfo &info : allPasses()) {
    EXPECT_NE(help.find("  " + info.name.str() + " "), std::string::npos);
    std::unique_ptr<Pass> pass = info.create();
    for (const PassOption &option : pass->options())
      EXPECT_NE(help.find("{" + option.name.str() + "="), std::string::npos);
  }
}

} // namespace
} // namespace tilescope
