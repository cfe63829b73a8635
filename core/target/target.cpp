#include "core/target/target.h"

#include "core/support/nearest_name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

constexpr int64_t KiB = 1024;

Target makeTarget(llvm::StringRef name, int major, int minor, int64_t perBlockKiB, int64_t perSmKiB,
                  int maxThreads, int maxBlocks, int64_t multiprocessors) {
  Target target;
  target.name = name;
  target.major = major;
  target.minor = minor;
  target.sharedBytesPerBlock = perBlockKiB * KiB;
  target.sharedBytesPerSm = perSmKiB * KiB;
  target.reservedSharedBytesPerBlock = 1 * KiB;
  target.maxThreadsPerSm = maxThreads;
  target.maxBlocksPerSm = maxBlocks;
  target.multiprocessors = multiprocessors;
  return target;
}

} // namespace

llvm::ArrayRef<Target> allTargets() {
  static const Target Targets[] = {makeTarget("sm_80", 8, 0, 163, 164, 2048, 32, 108),
                                   makeTarget("sm_86", 8, 6, 99, 100, 1536, 16, 82),
                                   makeTarget("sm_89", 8, 9, 99, 100, 1536, 24, 128),
                                   makeTarget("sm_90", 9, 0, 227, 228, 2048, 32, 132),
                                   makeTarget("sm_90a", 9, 0, 227, 228, 2048, 32, 132),
                                   makeTarget("sm_100", 10, 0, 227, 228, 2048, 32, 148),
                                   makeTarget("sm_120", 12, 0, 99, 100, 1536, 24, 170)};
  return Targets;
}

llvm::Expected<const Target *> findTarget(llvm::StringRef name) {
  llvm::ArrayRef<Target> targets = allTargets();
  const Target *found = llvm::find_if(targets, [&](const Target &t) { return t.name == name; });
  if (found != targets.end())
    return found;
  std::vector<std::string> names;
  for (const Target &target : targets)
    names.push_back(target.name.str());
  return llvm::createStringError("unknown target '" + name + "'; targets are " +
                                 llvm::join(names, ", ") + didYouMean(name, names));
}

} // namespace tilescope
