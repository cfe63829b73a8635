// Where the tests and benchmarks find what lies in the tree beside them.
#pragma once

#include "llvm/ADT/Twine.h"

#include <string>

namespace tilescope {

// The path of a file or folder, given as from the root of the tree: "testdata/kernels".
std::string inSourceFolder(const llvm::Twine &path);

} // namespace tilescope
