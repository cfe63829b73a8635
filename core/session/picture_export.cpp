#include "core/session/picture_export.h"

#include "core/views/pictures.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

// Names of groups have brackets and commas: "tidy(simplify,vectorize)".
std::string fileNameOf(const Trace &trace, size_t pass) {
  llvm::StringRef name = trace.passes[pass].name;
  size_t runsBefore = 0;
  for (size_t earlier = 0; earlier != pass; ++earlier)
    runsBefore += trace.passes[earlier].name == name;
  std::string text;
  for (char character : name)
    text += llvm::isAlnum(character) || character == '_' ? character : '-';
  return runsBefore ? text + "-" + std::to_string(runsBefore + 1) : text;
}

} // namespace

std::string freePath(const std::string &path) {
  llvm::StringRef extension = llvm::sys::path::extension(path);
  std::string stem = llvm::StringRef(path).drop_back(extension.size()).str();
  std::string free = path;
  for (int number = 2; llvm::sys::fs::exists(free); ++number)
    free = stem + "-" + std::to_string(number) + extension.str();
  return free;
}

std::string exportPictures(const Trace &trace, const Selection &selection, llvm::StringRef path) {
  std::string written;
  for (const PictureInfo &picture : allPictures()) {
    std::string extension = fileNameOf(trace, selection.pass) + "." + picture.name.str() + ".svg";
    llvm::SmallString<256> wanted(path);
    llvm::sys::path::replace_extension(wanted, extension);
    std::string file = freePath(wanted.str().str());
    std::string text = picture.draw(trace, selection);
    llvm::Error error = llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
      out << text;
      return llvm::Error::success();
    });
    if (error)
      return "cannot write " + file + ": " + llvm::toString(std::move(error));
    llvm::StringRef name = llvm::sys::path::filename(file);
    written += written.empty() ? "wrote " + name.str()
                               : ", " + llvm::sys::path::stem(name).rsplit('.').second.str();
  }
  return written + " beside " + llvm::sys::path::filename(path).str();
}

} // namespace tilescope
