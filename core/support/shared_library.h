// A library that is looked for at run time, so that the program starts where it is missing.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tilescope {

// Stays loaded until the process ends.
class SharedLibrary {
public:
  // The first of `candidates` (names for the system's search, or paths) that loads. The error says
  // that `what` is missing, and for each candidate which file was not found.
  static llvm::Expected<SharedLibrary> open(llvm::StringRef what,
                                            llvm::ArrayRef<std::string> candidates);
  // The error is what the system's loader says.
  static llvm::Expected<SharedLibrary> load(const std::string &path);

  // A function or an object.
  template <typename Signature>
  llvm::Error find(llvm::StringRef symbol, Signature *&function) const {
    void *address = findAddress(symbol);
    if (!address)
      return llvm::createStringError(path_ + " has no function " + symbol.str());
    function = reinterpret_cast<Signature *>(address);
    return llvm::Error::success();
  }
  // Where the library lies; "" if unknown.
  std::string folderOf(llvm::StringRef symbol) const;

private:
  void *findAddress(llvm::StringRef symbol) const;

  void *handle_ = nullptr;
  std::string path_;
};

} // namespace tilescope
