#include "core/driver/revision_compile.h"

#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

struct RevisionFile {
  std::string commit;
  std::string folder; // of the kernel file: git runs there
  std::string path;   // in the commit: see readGitFile
};

// Imports are asked for by paths that begin as the kernel file's own does.
SourceReader importsOf(const RevisionFile &file, const std::string &kernel) {
  std::string folder = llvm::sys::path::parent_path(kernel).str();
  return [=](llvm::StringRef path) -> std::optional<std::string> {
    if (!folder.empty() && (!path.consume_front(folder) || !path.consume_front("/")))
      return std::nullopt;
    return findGitFile(file.commit, ("./" + path).str(), file.folder);
  };
}

std::string folderOf(const CompileRequest &request) {
  std::string folder = llvm::sys::path::parent_path(request.path).str();
  return folder.empty() ? "." : folder;
}

std::string nameInFolder(const CompileRequest &request) {
  return ("./" + llvm::sys::path::filename(request.path)).str();
}

} // namespace

CompileRequest requestOf(const TraceHeader &header) {
  CompileRequest request;
  request.path = header.file;
  request.text = header.irText.empty() ? header.fileText : header.irText;
  request.function = header.function;
  request.target = header.target;
  request.passes = header.pipeline;
  request.allowHazards = header.allowHazards;
  request.aliases = !header.noAliases;
  request.stopAfter = header.stopAfter;
  request.plan.forOccupancy = header.planFor == "occupancy";
  for (const TraceParameter &parameter : header.parameters)
    request.arguments.emplace_back(parameter.name, parameter.value);
  return request;
}

CompileRequest requestOfCommits(const TraceHeader &header) {
  CompileRequest request = requestOf(header);
  request.arguments.clear();
  for (const TraceParameter &parameter : header.parameters)
    if (parameter.value != parameter.defaultValue)
      request.arguments.emplace_back(parameter.name, parameter.value);
  return request;
}

llvm::Expected<std::vector<GitCommit>> commitsOf(const CompileRequest &request, size_t most) {
  return recentGitCommits(nameInFolder(request), most, folderOf(request));
}

llvm::Expected<Trace> compileAtRevision(CompileRequest request, llvm::StringRef name) {
  auto [revision, path] = name.split(':');
  RevisionFile file;
  file.folder = folderOf(request);
  file.path = path.empty() ? nameInFolder(request) : path.str();
  if (llvm::Error error = gitCommit(revision, file.folder).moveInto(file.commit)) {
    llvm::consumeError(std::move(error));
    return llvm::createStringError("cannot read '" + name +
                                   "': No such file or directory, and it is no revision of a git "
                                   "repository that the kernel lies in");
  }
  if (llvm::Error error = readGitFile(file.commit, file.path, file.folder).moveInto(request.text))
    return error;
  request.imports.read = importsOf(file, request.path);
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
