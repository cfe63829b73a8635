#include "core/session/revision_compile.h"

#include "core/driver/git_files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

struct RevisionFile {
  std::string commit;
  std::string folder; // of the kernel file: git runs there
  std::string path;   // in the commit: see readGitFile
};

// Imports are asked for by paths as the kernel file's own is written.
SourceReader importsOf(const RevisionFile &file) {
  return [=](llvm::StringRef path) -> std::optional<std::string> {
    llvm::SmallString<256> absolute = path;
    llvm::SmallString<256> from = llvm::StringRef(file.folder);
    if (llvm::sys::fs::make_absolute(absolute) || llvm::sys::fs::make_absolute(from))
      return std::nullopt;
    llvm::StringRef inFolder = absolute;
    if (!inFolder.consume_front(from) || !inFolder.consume_front("/"))
      return std::nullopt;
    llvm::Expected<std::string> text =
        readGitFile(file.commit, ("./" + inFolder).str(), file.folder);
    if (text)
      return std::move(*text);
    llvm::consumeError(text.takeError());
    return std::nullopt;
  };
}

} // namespace

llvm::Expected<Trace> compileAtRevision(CompileRequest request, llvm::StringRef name) {
  auto [revision, path] = name.split(':');
  RevisionFile file;
  file.folder = llvm::sys::path::parent_path(request.path).str();
  if (file.folder.empty())
    file.folder = ".";
  file.path = path.empty() ? ("./" + llvm::sys::path::filename(request.path)).str() : path.str();
  if (llvm::Error error = gitCommit(revision, file.folder).moveInto(file.commit)) {
    llvm::consumeError(std::move(error));
    return llvm::createStringError("cannot read '" + name +
                                   "': No such file or directory, and it is no revision of a git "
                                   "repository that the kernel lies in");
  }
  if (llvm::Error error = readGitFile(file.commit, file.path, file.folder).moveInto(request.text))
    return error;
  request.imports.read = importsOf(file);
  request.patches.clear();
  TraceRecorder recorder;
  CompileResult result = compile(request, {&recorder, {}});
  Trace trace = recorder.takeTrace();
  if (trace.passes.empty()) {
    std::string said;
    llvm::raw_string_ostream out(said);
    for (const Diagnostic &diagnostic : result.diagnostics.all())
      render(diagnostic, result.files, out, /*colors=*/false);
    return llvm::createStringError("at " + name + " it does not compile: " + said);
  }
  return trace;
}

} // namespace tilescope
