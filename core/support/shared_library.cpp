#include "core/support/shared_library.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <vector>

namespace tilescope {

namespace {

// The file that the loader misses may be another one, which the library needs.
std::string reasonOf(llvm::StringRef error) {
  auto [file, rest] = error.split(": cannot open shared object file");
  return rest.empty() ? error.str() : file.str() + " not found";
}

} // namespace

llvm::Expected<SharedLibrary> SharedLibrary::open(llvm::StringRef what,
                                                  llvm::ArrayRef<std::string> candidates) {
  SharedLibrary library;
  std::vector<std::string> reasons;
  for (const std::string &candidate : candidates) {
    library.handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    library.path_ = candidate;
    if (library.handle_)
      return library;
    reasons.push_back(reasonOf(dlerror()));
  }
  return llvm::createStringError("no " + what.str() +
                                 " on this machine: " + llvm::join(reasons, ", "));
}

llvm::Expected<SharedLibrary> SharedLibrary::load(const std::string &path) {
  SharedLibrary library;
  library.handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  library.path_ = path;
  if (!library.handle_)
    return llvm::createStringError(dlerror());
  return library;
}

void *SharedLibrary::findAddress(llvm::StringRef symbol) const {
  return dlsym(handle_, symbol.str().c_str());
}

std::string SharedLibrary::folderOf(llvm::StringRef symbol) const {
  Dl_info info;
  void *address = findAddress(symbol);
  if (!address || !dladdr(address, &info) || !info.dli_fname)
    return "";
  return llvm::sys::path::parent_path(info.dli_fname).str();
}

} // namespace tilescope
