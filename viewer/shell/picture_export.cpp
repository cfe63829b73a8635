#include "viewer/shell/picture_export.h"

#include "viewer/model/pictures.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
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

std::string exportPictures(const Trace &trace, const Selection &selection, llvm::StringRef path) {
  std::string written;
  for (const PictureInfo &picture : allPictures()) {
    std::string extension = fileNameOf(trace, selection.pass) + "." + picture.name.str() + ".svg";
    llvm::SmallString<256> file(path);
    llvm::sys::path::replace_extension(file, extension);
    std::string text = picture.draw(trace, selection);
    llvm::Error error = llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
      out << text;
      return llvm::Error::success();
    });
    if (error)
      return "cannot write " + file.str().str() + ": " + llvm::toString(std::move(error));
    written += written.empty() ? "wrote " + llvm::sys::path::filename(file).str()
                               : ", " + picture.name.str();
  }
  return written + " beside " + llvm::sys::path::filename(path).str();
}

} // namespace tilescope
