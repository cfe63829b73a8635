#include "core/driver/pass_library.h"

#include "core/pass/pass_library.h"
#include "core/support/shared_library.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral MarkStart = "tilescope pass library for ";

template <typename... Parts> llvm::Error failure(const std::string &path, Parts &&...parts) {
  return llvm::createStringError("'" + path + "' " + (llvm::Twine(parts) + ... + ""));
}

// What the library was compiled for; "" where it holds no mark.
llvm::StringRef interfaceOf(llvm::StringRef bytes) {
  for (size_t at = bytes.find(MarkStart); at != llvm::StringRef::npos;
       at = bytes.find(MarkStart, at + 1)) {
    llvm::StringRef text = bytes.drop_front(at + MarkStart.size());
    text = text.take_front(text.find('\0'));
    if (!text.empty() && llvm::all_of(text, llvm::isPrint))
      return text;
  }
  return "";
}

// "undefined symbol: _ZN9tilescope3runEv" with the name as it is written.
std::string readable(llvm::StringRef fault) {
  auto [before, symbol] = fault.split("undefined symbol: ");
  if (symbol.empty())
    return fault.str();
  return "it needs " + llvm::demangle(symbol) + ", which this program does not have";
}

bool isPassName(llvm::StringRef name) {
  return !name.empty() && llvm::isAlpha(name.front()) && llvm::all_of(name, [](char c) {
    return llvm::isLower(c) || llvm::isDigit(c) || c == '-';
  });
}

llvm::Error addPasses(const std::string &path, const PassLibrary &library, PassRegistry &passes) {
  if (library.count == 0)
    return failure(path, "holds no pass");
  for (const PassInfo &info : llvm::ArrayRef(library.passes, library.count)) {
    if (!isPassName(info.name))
      return failure(path, "has a pass '", info.name,
                     "': a name is of lower-case letters, digits and '-'");
    if (!info.create)
      return failure(path, "does not say what makes its pass '", info.name, "'");
    if (llvm::any_of(passes, [&](const PassInfo &other) { return other.name == info.name; }))
      return failure(path, "has a pass '", info.name, "', and there is one of that name already");
    passes.push_back(info);
  }
  return llvm::Error::success();
}

llvm::Error loadLibrary(const std::string &path, PassRegistry &passes) {
  if (llvm::Error error = checkPassLibrary(path))
    return error;
  // The system looks for a name without a folder elsewhere.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  llvm::Expected<SharedLibrary> library = SharedLibrary::load(file);
  if (!library)
    return failure(path, "cannot be loaded: ", readable(llvm::toString(library.takeError())));
  const PassLibrary *record = nullptr;
  if (llvm::Error error = library->find("TilescopePassLibrary", record)) {
    llvm::consumeError(std::move(error));
    return failure(path, "defines no TilescopePassLibrary, the list of its passes");
  }
  return addPasses(path, *record, passes);
}

} // namespace

llvm::Error checkPassLibrary(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("cannot read '" + path + "': " + file.getError().message());
  llvm::StringRef wanted = llvm::StringRef(PassLibraryMark).drop_front(MarkStart.size());
  llvm::StringRef found = interfaceOf((*file)->getBuffer());
  if (found.empty())
    return failure(path, "is no library of passes: nothing in it is of core/pass/pass_library.h");
  if (found != wanted)
    return failure(path, "was built for Tilescope ", found, ", and this is ", wanted,
                   ": build it against the headers of this program");
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<const PassRegistry>>
loadPasses(llvm::ArrayRef<std::string> libraries) {
  auto passes = std::make_shared<PassRegistry>(allPasses().begin(), allPasses().end());
  for (const std::string &path : libraries)
    if (llvm::Error error = loadLibrary(path, *passes))
      return error;
  return passes;
}

} // namespace tilescope
