#include "cli/compared_sides.h"

#include "cli/device_usage.h"
#include "cli/watch.h"
#include "core/driver/git_files.h"
#include "core/driver/judge_trace.h"
#include "core/frontend/frontend.h"
#include "core/support/kernel_line.h"
#include "core/syntax/parser.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <filesystem>
#include <map>
#include <set>

namespace tilescope {

namespace {

struct KernelFile {
  std::string path;     // for messages and the report
  std::string function; // "": not named
  std::string text;
  SourceReader readImport = watchedImports(); // null: from the disk
};

// What a kernel file of a commit imports is of that commit too. Its path begins with `folder`: with
// "./" where it is seen from the current folder. Without a commit it is of the disk.
SourceReader importsOf(const std::string &commit, const std::string &folder) {
  if (commit.empty())
    return watchedImports();
  return [=](llvm::StringRef path) { return findGitFile(commit, folder + path.str()); };
}

// The first error as one line.
std::string firstError(const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      return lineText("line ", diagnostic.span.line, ": ") + diagnostic.text;
  return "";
}

// A kernel file is wrong where the file says what is wrong; here the command line does.
bool isWrongRequest(const CompileResult &result, bool isListed, const SideOptions &options) {
  if (result.elaborated || result.succeeded())
    return false;
  auto error = llvm::find_if(result.diagnostics.all(),
                             [](const Diagnostic &d) { return d.severity == Severity::Error; });
  bool isAboutArguments = error->id == DiagId::UnknownArgument || error->id == DiagId::BadArgument;
  if (isListed)
    return isAboutArguments && !options.arguments.empty();
  return isAboutArguments || error->id == DiagId::MissingArguments || result.function.empty();
}

// Of a compile that came to its end.
llvm::Error countRegisters(const PtxasOption *ptxas, ComparedCompile &compile) {
  if (!ptxas || !compile.trace || !compile.error.empty())
    return llvm::Error::success();
  return ptxas->addTo(*compile.trace);
}

llvm::Expected<ComparedCompile> compileInstance(const KernelFile &file,
                                                const KernelInstance &instance,
                                                std::string arguments, bool isListed,
                                                const SideOptions &options) {
  CompileRequest request;
  request.path = file.path;
  request.text = file.text;
  request.function = instance.function;
  request.arguments = options.arguments;
  for (const auto &argument : instance.arguments)
    if (llvm::none_of(options.arguments,
                      [&](const auto &given) { return given.first == argument.first; }))
      request.arguments.push_back(argument);
  request.passOptions = instance.passOptions;
  request.target = instance.target;
  request.imports.read = file.readImport;
  TraceRecorder recorder;
  CompileResult result = compile(request, Observers{&recorder, {}});
  if (isWrongRequest(result, isListed, options)) {
    printDiagnostics(result);
    return llvm::createStringError("nothing was compared: '" + file.path +
                                   "' cannot be compiled as asked");
  }
  ComparedCompile compiled{file.path, instance.function, std::move(arguments), recorder.takeTrace(),
                           firstError(result.diagnostics)};
  if (compiled.trace->passes.empty())
    compiled.trace.reset();
  // CUDA that ptxas does not take is no compile.
  if (llvm::Error error = countRegisters(options.ptxas, compiled))
    compiled.error = llvm::StringRef(llvm::toString(std::move(error))).split('\n').first.str();
  return compiled;
}

struct Instances {
  std::vector<KernelInstance> instances;
  bool areListed = false; // by the file; else the one that the command line asks for
};

llvm::Expected<Instances> instancesOf(const KernelFile &file) {
  Instances asked{{{file.path, file.function, {}, ""}}, false};
  if (!file.function.empty())
    return asked;
  llvm::Expected<std::vector<KernelInstance>> listed = instancesOfKernel(file.text, file.path);
  if (!listed)
    return listed.takeError();
  return listed->empty() ? asked : Instances{std::move(*listed), true};
}

// "--set M=64 --target sm_80". What the command line asks for has the same name on both sides,
// whatever its arguments.
std::string argumentsOf(const KernelInstance &instance, bool isListed, bool hasManyTargets) {
  if (isListed)
    return labelOf({"", "", instance.arguments, instance.target, instance.passOptions});
  return labelOf({"", "", {}, hasManyTargets ? instance.target : ""});
}

llvm::Error compileInstances(const KernelFile &file, const Instances &found,
                             const SideOptions &options, LoadedSide &side) {
  for (KernelInstance instance : found.instances) {
    std::vector<std::string> targets = options.targets;
    if (!instance.target.empty())
      targets = {instance.target};
    for (const std::string &target : targets) {
      instance.target = target;
      std::string arguments = argumentsOf(instance, found.areListed, targets.size() > 1);
      llvm::Expected<ComparedCompile> compiled =
          compileInstance(file, instance, std::move(arguments), found.areListed, options);
      if (!compiled)
        return compiled.takeError();
      side.compiles.push_back(std::move(*compiled));
    }
  }
  return llvm::Error::success();
}

llvm::Error compileFile(const KernelFile &file, const SideOptions &options, LoadedSide &side) {
  llvm::Expected<Instances> found = instancesOf(file);
  return found ? compileInstances(file, *found, options, side) : found.takeError();
}

// A file with an instance line that cannot be read, among others: no reason not to compare those.
ComparedCompile unreadable(const KernelFile &file, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  llvm::StringRef cause = text;
  bool isPlace = cause.consume_front(file.path + ":");
  ComparedCompile compile;
  compile.file = file.path;
  compile.error = (isPlace ? "line " : "") + cause.str();
  compile.isWholeFile = true;
  return compile;
}

// What a trace claims of its program is not taken for granted.
void takeTrace(LoadedInstance loaded, ComparedCompile &compile) {
  compile.error = std::move(loaded.failure);
  if (loaded.trace.passes.empty())
    return;
  if (compile.error.empty())
    recordJudgement(judgeTrace(loaded.trace), loaded.trace);
  compile.trace = std::move(loaded.trace);
}

llvm::Expected<LoadedSide> traceSide(const std::string &name, llvm::StringRef text,
                                     const PtxasOption *ptxas) {
  llvm::Expected<LoadedInstance> loaded = readWholeTrace(text, name);
  if (!loaded)
    return loaded.takeError();
  LoadedSide side;
  side.isTrace = true;
  if (!loaded->trace.recovery.empty())
    side.warnings.push_back("'" + name + "': " + loaded->trace.recovery);
  ComparedCompile &compile = side.compiles.emplace_back();
  compile.file = name;
  takeTrace(std::move(*loaded), compile);
  if (llvm::Error error = countRegisters(ptxas, compile))
    return llvm::createStringError("'" + name + "': " + llvm::toString(std::move(error)));
  return side;
}

// REV:FILE[:FUNCTION], where no file has that name.
llvm::Expected<std::optional<KernelFile>> revisionFile(const std::string &name) {
  if (!isOfRevision(name))
    return std::nullopt;
  size_t colon = name.find(':');
  if (llvm::Error error = checkGit())
    return llvm::createStringError("'" + name + "' is no file; " +
                                   llvm::toString(std::move(error)));
  std::string revision = name.substr(0, colon);
  llvm::Expected<std::string> commit = gitCommit(revision);
  if (!commit) {
    llvm::consumeError(commit.takeError());
    return llvm::createStringError("'" + revision +
                                   "' is neither a file nor a revision of a git repository here");
  }
  llvm::StringRef path = llvm::StringRef(name).drop_front(colon + 1);
  llvm::StringRef function;
  if (size_t last = path.rfind(':'); last != llvm::StringRef::npos)
    std::tie(path, function) = std::pair(path.take_front(last), path.drop_front(last + 1));
  llvm::Expected<std::string> text = readGitFile(revision, path);
  if (!text)
    return text.takeError();
  return KernelFile{path.str(), function.str(), std::move(*text), importsOf(*commit, "")};
}

bool listsInstances(llvm::StringRef text) {
  return text.starts_with("# tilescope:") || text.contains("\n# tilescope:");
}

bool mayHaveKernel(llvm::StringRef text) { return text.contains("tilelang"); }

// The arguments of the command line that the kernel has; nullopt: others of its arguments have no
// default.
std::optional<SideOptions> withDefaults(const KernelInfo &kernel, const SideOptions &options) {
  SideOptions own{{}, options.targets, options.ptxas};
  for (const KernelParameter &parameter : kernel.parameters) {
    auto given = llvm::find_if(
        options.arguments, [&](const auto &argument) { return argument.first == parameter.name; });
    if (given != options.arguments.end())
      own.arguments.push_back(*given);
    else if (!parameter.hasDefault)
      return std::nullopt;
  }
  return own;
}

// The kernels of a file that lists no instance.
llvm::Error tryKernels(const KernelFile &file, const SideOptions &options, LoadedSide &side) {
  SourceFiles files;
  Diagnostics unread;
  std::unique_ptr<ast::Module> module = parseModule(files.add(file.path, file.text), files, unread);
  if (unread.hasErrors()) {
    side.notCompared.push_back({file.path, {}, firstError(unread)});
    return llvm::Error::success();
  }
  LoadedSide tried;
  NotCompared without{file.path, {}, ""};
  for (const KernelInfo &kernel : listKernels(*module, files)) {
    std::optional<SideOptions> own = withDefaults(kernel, options);
    if (!own) {
      without.functions.push_back(kernel.path);
      continue;
    }
    Instances one{{{file.path, kernel.path, {}, ""}}, false};
    if (llvm::Error error = compileInstances(file, one, *own, tried))
      return error;
  }
  llvm::append_range(side.tried, std::move(tried.compiles));
  if (without.functions.empty())
    return llvm::Error::success();
  without.why = (without.functions.size() == 1 ? "it has" : "they have") +
                std::string(" arguments without a default, and no line '# tilescope: ") +
                without.functions.front() + " --set NAME=VALUE' gives them";
  side.notCompared.push_back(std::move(without));
  return llvm::Error::success();
}

// Of a commit; "": of the work tree.
llvm::Expected<std::vector<GitFile>> filesAt(const std::string &commit,
                                             const std::vector<std::string> &paths) {
  return commit.empty() ? listWorkTreeFiles(paths) : listGitFiles(commit, paths);
}

llvm::Expected<std::string> contentOf(const GitFile &file) {
  return file.blob.empty() ? readFile(file.path) : readGitBlob(file.blob);
}

// What is found at and below the paths.
llvm::Error loadPaths(const std::string &commit, const RevisionKernels &kernels,
                      const SideOptions &options, LoadedSide &side) {
  if (kernels.paths.empty())
    return llvm::Error::success();
  llvm::Expected<std::vector<GitFile>> files = filesAt(commit, kernels.paths);
  if (!files)
    return files.takeError();
  for (const GitFile &found : *files) {
    bool isNamed = llvm::is_contained(kernels.paths, found.path);
    if (!isNamed && !llvm::StringRef(found.path).ends_with(".py"))
      continue;
    llvm::Expected<std::string> text = contentOf(found);
    if (!text)
      return text.takeError();
    KernelFile file{found.path, "", std::move(*text), importsOf(commit, "./")};
    bool isListed = llvm::any_of(kernels.listed, [&](const KernelInstance &instance) {
      return instance.path == found.path;
    });
    if (!isNamed && !listsInstances(file.text)) {
      if (mayHaveKernel(file.text) && !isListed)
        if (llvm::Error error = tryKernels(file, options, side))
          return error;
      continue;
    }
    if (llvm::Expected<Instances> instances = instancesOf(file); !instances)
      side.compiles.push_back(unreadable(file, instances.takeError()));
    else if (llvm::Error error = compileInstances(file, *instances, options, side))
      return error;
  }
  return llvm::Error::success();
}

// The instances of lists, of the files that the revision has; those of the files' own lines once.
llvm::Error loadListed(const std::string &commit, const RevisionKernels &kernels,
                       const SideOptions &options, LoadedSide &side) {
  std::map<std::string, std::vector<KernelInstance>> ofFile;
  for (const KernelInstance &instance : kernels.listed)
    ofFile[instance.path].push_back(instance);
  auto pathsOfFiles = llvm::make_first_range(ofFile);
  std::vector<std::string> paths(pathsOfFiles.begin(), pathsOfFiles.end());
  if (paths.empty())
    return llvm::Error::success();
  llvm::Expected<std::vector<GitFile>> files = filesAt(commit, paths);
  if (!files)
    return files.takeError();
  for (const GitFile &found : *files) {
    llvm::Expected<std::string> text = contentOf(found);
    if (!text)
      return text.takeError();
    LoadedSide listed;
    Instances instances{ofFile[found.path], true};
    KernelFile file{found.path, "", std::move(*text), importsOf(commit, "./")};
    if (llvm::Error error = compileInstances(file, instances, options, listed))
      return error;
    for (ComparedCompile &compile : listed.compiles)
      if (llvm::none_of(side.compiles, [&](const ComparedCompile &other) {
            return other.file == compile.file && other.label() == compile.label();
          }))
        side.compiles.push_back(std::move(compile));
  }
  return llvm::Error::success();
}

} // namespace

bool isOfRevision(const std::string &name) {
  size_t colon = name.find(':');
  bool isFile = llvm::sys::fs::exists(name) || llvm::sys::fs::exists(splitKernelName(name).first);
  return colon != std::string::npos && colon != 0 && !isFile && !listOf(name);
}

llvm::Expected<LoadedSide> loadSide(const std::string &name, const SideOptions &options) {
  llvm::Expected<std::optional<KernelFile>> file = revisionFile(name);
  if (!file)
    return file.takeError();
  if (!*file) {
    auto [path, function] = splitKernelName(name);
    if (llvm::sys::fs::is_directory(path))
      return folderError(path, path);
    llvm::Expected<std::string> text = readFile(path);
    if (!text)
      return text.takeError();
    if (looksLikeTrace(*text))
      return traceSide(name, *text, options.ptxas);
    if (llvm::Error error = refuseBrokenTrace(path, *text))
      return error;
    *file = {path, function, std::move(*text)};
  }
  LoadedSide side;
  if (llvm::Error error = compileFile(**file, options, side))
    return error;
  return side;
}

llvm::Expected<LoadedSide> loadInstances(const std::string &name, const SideOptions &options) {
  llvm::Expected<ListedInstances> listed = instancesOf({name}, options.targets);
  bool isRecorded = llvm::sys::fs::exists(name + "/index.json");
  if (!listed && llvm::sys::fs::is_directory(name) && !isRecorded)
    return llvm::createStringError(llvm::toString(listed.takeError()) +
                                   "; all kernel files in it are compared between revisions: "
                                   "--git REV1 [REV2] -- " +
                                   name);
  if (!listed)
    return listed.takeError();
  LoadedSide side;
  side.isTrace = true;
  side.ptxas = options.ptxas;
  side.unread = std::move(listed->unread);
  for (const std::string &note : listed->notes)
    side.warnings.push_back("'" + listOf(name).value_or(name) + "': " + note);
  for (const ListedInstance &instance : listed->instances) {
    ComparedCompile &compile = side.compiles.emplace_back();
    compile.file = instance.path;
    compile.function = instance.function;
    compile.arguments =
        labelOf({"", "", instance.arguments, instance.target, instance.passOptions});
    compile.recordedIn = instance.trace;
    compile.configuration = instance.configuration;
    compile.target = instance.target;
    if (!instance.trace.empty())
      continue;
    llvm::Expected<LoadedInstance> loaded = load(instance, nullptr, nullptr, options.ptxas);
    if (!loaded)
      return loaded.takeError();
    takeTrace(std::move(*loaded), compile);
  }
  return side;
}

static llvm::Expected<ComparedCompile> readRecorded(const ComparedCompile &compile) {
  llvm::Expected<std::string> text = readFile(compile.recordedIn);
  if (!text)
    return text.takeError();
  llvm::Expected<LoadedInstance> loaded = readWholeTrace(*text, compile.recordedIn);
  if (!loaded)
    return loaded.takeError();
  ComparedCompile whole = compile;
  takeTrace(std::move(*loaded), whole);
  return whole;
}

llvm::Expected<const ComparedCompile *> withTrace(const ComparedCompile &compile,
                                                  std::optional<ComparedCompile> &storage) {
  if (compile.recordedIn.empty())
    return &compile;
  llvm::Expected<ComparedCompile> whole = readRecorded(compile);
  if (!whole)
    return whole.takeError();
  return &storage.emplace(std::move(*whole));
}

// Into `loaded`: the one of the pair, or nothing. False: it cannot be read.
static bool loadOne(LoadedSide &side, std::optional<size_t> index,
                    std::vector<ComparedCompile> &loaded) {
  if (!index)
    return true;
  ComparedCompile &compile = side.compiles[*index];
  if (compile.recordedIn.empty()) {
    loaded.push_back(compile);
    return true;
  }
  llvm::Expected<ComparedCompile> whole = readRecorded(compile);
  llvm::Error error = whole ? countRegisters(side.ptxas, *whole) : whole.takeError();
  if (error) {
    side.unread.push_back({compile.recordedIn, llvm::toString(std::move(error))});
    return false;
  }
  loaded.push_back(std::move(*whole));
  return true;
}

std::vector<KernelComparison> compareInstances(LoadedSide &before, LoadedSide &after) {
  std::vector<KernelComparison> kernels;
  for (const KernelPair &pair : pairKernels(before.compiles, after.compiles, SideNames::Recorded)) {
    std::vector<ComparedCompile> left, right;
    bool isLeftRead = loadOne(before, pair.before, left);
    if (!loadOne(after, pair.after, right) || !isLeftRead)
      continue;
    KernelComparison kernel = std::move(compareKernels(left, right, SideNames::Recorded).front());
    kernel.before = pair.before;
    kernel.after = pair.after;
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

llvm::Expected<LoadedSide> loadRevision(const std::string &revision, const RevisionKernels &kernels,
                                        const SideOptions &options) {
  llvm::Expected<std::string> commit = revision == WorkTree ? std::string() : gitCommit(revision);
  if (!commit)
    return commit.takeError();
  LoadedSide side;
  if (llvm::Error error = loadPaths(*commit, kernels, options, side))
    return error;
  if (llvm::Error error = loadListed(*commit, kernels, options, side))
    return error;
  return side;
}

void takeTried(LoadedSide &before, LoadedSide &after) {
  auto keyOf = [](const ComparedCompile &compile) { return compile.file + ":" + compile.label(); };
  std::set<std::string> compiled;
  for (const LoadedSide *side : {&before, &after})
    for (const ComparedCompile &compile : side->tried)
      if (compile.error.empty())
        compiled.insert(keyOf(compile));
  for (LoadedSide *side : {&before, &after})
    for (ComparedCompile &compile : std::exchange(side->tried, {})) {
      if (compiled.contains(keyOf(compile)))
        side->compiles.push_back(std::move(compile));
      else
        side->notCompared.push_back({compile.file, {compile.function}, compile.error});
    }
}

} // namespace tilescope
