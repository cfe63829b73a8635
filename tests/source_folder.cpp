#include "tests/source_folder.h"

namespace tilescope {

std::string inSourceFolder(const llvm::Twine &path) {
  return (TILESCOPE_SOURCE_DIR "/" + path).str();
}

} // namespace tilescope
