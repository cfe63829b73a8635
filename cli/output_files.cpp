#include "cli/output_files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

// Absolute and without links in its folder; the file itself need not be there.
std::string canonicalPath(llvm::StringRef path) {
  llvm::SmallString<128> whole(path);
  // Without a current folder the path stays as it is.
  (void)llvm::sys::fs::make_absolute(whole);
  llvm::SmallString<128> folder;
  if (!llvm::sys::fs::real_path(llvm::sys::path::parent_path(whole), folder)) {
    llvm::sys::path::append(folder, llvm::sys::path::filename(whole));
    return folder.str().str();
  }
  llvm::sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  return whole.str().str();
}

bool isSameFile(const std::string &a, const std::string &b) {
  if (a == "-" || b == "-")
    return a == b;
  llvm::sys::fs::file_status statusOfA, statusOfB;
  bool bothExist = !llvm::sys::fs::status(a, statusOfA) && !llvm::sys::fs::status(b, statusOfB);
  if (!bothExist)
    return canonicalPath(a) == canonicalPath(b);
  return llvm::sys::fs::is_regular_file(statusOfA) &&
         llvm::sys::fs::equivalent(statusOfA, statusOfB);
}

// A folder that is read stands for its traces.
bool isTraceIn(llvm::StringRef file, const std::string &folder) {
  return llvm::sys::fs::is_directory(folder) && file.ends_with(".trace") &&
         llvm::sys::fs::exists(file) &&
         llvm::sys::path::parent_path(canonicalPath(file)) ==
             llvm::sys::path::parent_path(canonicalPath(folder + "/."));
}

std::string textOf(const NamedFile &file) { return file.option + " '" + file.path + "'"; }

llvm::Error clash(const NamedFile &a, const NamedFile &b) {
  if (a.path == "-")
    return llvm::createStringError(a.option + " and " + b.option +
                                   " are both standard output: give one a file");
  return llvm::createStringError(textOf(a) + " and " + textOf(b) + " are one file: give two");
}

} // namespace

llvm::Error checkOutputs(llvm::ArrayRef<NamedFile> outputs, llvm::ArrayRef<NamedFile> inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile &output = outputs[i];
    if (output.path.empty())
      continue;
    for (const NamedFile &input : inputs)
      if (output.path != "-" &&
          (isSameFile(output.path, input.path) || isTraceIn(output.path, input.path)))
        return llvm::createStringError(textOf(output) + " would overwrite " + textOf(input));
    for (const NamedFile &other : outputs.drop_front(i + 1))
      if (!other.path.empty() && isSameFile(output.path, other.path))
        return clash(output, other);
  }
  return llvm::Error::success();
}

} // namespace tilescope
