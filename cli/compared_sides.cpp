#include "cli/compared_sides.h"

#include "cli/git_files.h"
#include "core/driver/kernel_instances.h"
#include "core/trace/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

struct KernelFile {
  std::string path;     // for messages and the report
  std::string function; // "": not named
  std::string text;
};

// The first error as one line.
std::string firstError(const CompileResult &result) {
  for (const Diagnostic &diagnostic : result.diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      return (diagnostic.span.line ? "line " + std::to_string(diagnostic.span.line) + ": " : "") +
             diagnostic.text;
  return "";
}

ComparedCompile compileInstance(const KernelFile &file, const KernelInstance &instance,
                                std::string label) {
  CompileRequest request;
  request.path = file.path;
  request.text = file.text;
  request.function = instance.function;
  request.arguments = instance.arguments;
  request.target = instance.target;
  TraceRecorder recorder;
  CompileResult result = compile(request, Observers{&recorder, {}});
  ComparedCompile compiled{file.path, std::move(label), recorder.takeTrace(), firstError(result)};
  if (!result.succeeded())
    compiled.trace.reset();
  return compiled;
}

struct Instances {
  std::vector<KernelInstance> instances;
  bool areListed = false; // by the file; else the one that the command line asks for
};

llvm::Expected<Instances> instancesOf(const KernelFile &file, const SideOptions &options) {
  Instances asked{{{file.path, file.function, options.arguments, ""}}, false};
  if (!options.arguments.empty() || !file.function.empty())
    return asked;
  llvm::Expected<std::vector<KernelInstance>> listed = instancesOfKernel(file.text, file.path);
  if (!listed)
    return listed.takeError();
  return listed->empty() ? asked : Instances{std::move(*listed), true};
}

// What the command line asks for has the same label on both sides, whatever its arguments.
std::string labelOf(const KernelInstance &instance, bool isListed, bool hasManyTargets) {
  if (isListed)
    return tilescope::labelOf(instance);
  return tilescope::labelOf({"", instance.function, {}, hasManyTargets ? instance.target : ""});
}

llvm::Expected<std::vector<ComparedCompile>> compileFile(const KernelFile &file,
                                                         const SideOptions &options) {
  llvm::Expected<Instances> found = instancesOf(file, options);
  if (!found)
    return found.takeError();
  std::vector<ComparedCompile> compiles;
  for (KernelInstance &instance : found->instances) {
    std::vector<std::string> targets = options.targets;
    if (!instance.target.empty())
      targets = {instance.target};
    for (const std::string &target : targets) {
      instance.target = target;
      compiles.push_back(
          compileInstance(file, instance, labelOf(instance, found->areListed, targets.size() > 1)));
    }
  }
  return compiles;
}

llvm::Expected<std::vector<ComparedCompile>> traceSide(const std::string &name,
                                                       llvm::StringRef text) {
  llvm::Expected<Trace> trace = readTrace(text, name);
  if (!trace)
    return trace.takeError();
  if (!trace->recovery.empty())
    llvm::WithColor::warning(llvm::errs(), "tilescope") << trace->recovery << '\n';
  if (trace->passes.empty())
    return llvm::createStringError("'" + name + "' has no finished pass");
  std::vector<ComparedCompile> side;
  side.push_back({name, "", std::move(*trace), ""});
  return side;
}

// REV:FILE[:FUNCTION] with a revision that is known.
llvm::Expected<std::optional<KernelFile>> revisionFile(const std::string &name) {
  size_t colon = name.find(':');
  if (colon == std::string::npos || colon == 0 || llvm::sys::fs::exists(name) ||
      llvm::sys::fs::exists(splitKernelName(name).first) || !isGitRevision(name.substr(0, colon)))
    return std::nullopt;
  std::string revision = name.substr(0, colon);
  llvm::StringRef path = llvm::StringRef(name).drop_front(colon + 1);
  llvm::StringRef function;
  if (size_t last = path.rfind(':'); last != llvm::StringRef::npos)
    std::tie(path, function) = std::pair(path.take_front(last), path.drop_front(last + 1));
  llvm::Expected<std::string> text = readGitFile(revision, path);
  if (!text)
    return text.takeError();
  return KernelFile{path.str(), function.str(), std::move(*text)};
}

bool listsInstances(const KernelFile &file) {
  return llvm::StringRef("\n" + file.text).contains("\n# tilescope:");
}

} // namespace

llvm::Expected<std::vector<ComparedCompile>> loadSide(const std::string &name,
                                                      const SideOptions &options) {
  llvm::Expected<std::optional<KernelFile>> revision = revisionFile(name);
  if (!revision)
    return revision.takeError();
  if (*revision)
    return compileFile(**revision, options);
  auto [path, function] = splitKernelName(name);
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  if (looksLikeTrace(*text))
    return traceSide(name, *text);
  return compileFile({path, function, std::move(*text)}, options);
}

llvm::Expected<std::vector<ComparedCompile>> loadRevision(const std::string &revision,
                                                          const std::vector<std::string> &paths,
                                                          const SideOptions &options) {
  llvm::Expected<std::string> commit = gitCommit(revision);
  if (!commit)
    return commit.takeError();
  llvm::Expected<std::vector<std::string>> names = listGitFiles(*commit, paths);
  if (!names)
    return names.takeError();
  std::vector<ComparedCompile> compiles;
  for (const std::string &name : *names) {
    bool isNamed = llvm::is_contained(paths, name);
    if (!isNamed && !llvm::StringRef(name).ends_with(".py"))
      continue;
    llvm::Expected<std::string> text = readGitFile(*commit, "./" + name);
    if (!text)
      return text.takeError();
    KernelFile file{name, "", std::move(*text)};
    if (!isNamed && !listsInstances(file))
      continue;
    llvm::Expected<std::vector<ComparedCompile>> some = compileFile(file, options);
    if (!some)
      return some.takeError();
    std::move(some->begin(), some->end(), std::back_inserter(compiles));
  }
  return compiles;
}

} // namespace tilescope
