#include "core/cuda/shared_library.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

namespace tilescope {

llvm::Expected<SharedLibrary> SharedLibrary::open(llvm::StringRef what,
                                                  llvm::ArrayRef<std::string> candidates) {
  SharedLibrary library;
  for (const std::string &candidate : candidates) {
    library.handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    library.path_ = candidate;
    if (library.handle_)
      return library;
  }
  return llvm::createStringError(
      "no " + what.str() + " on this machine: " + llvm::join(candidates, ", ") + " not found");
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
