#include "cli/kernel_list.h"

#include "cli/device_usage.h"
#include "cli/watch.h"
#include "core/ir/reader.h"
#include "core/run/pass_execution.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <filesystem>
#include <map>

namespace tilescope {

namespace {

// No file begins with it by accident.
constexpr llvm::StringLiteral ListPrefix = "list of kernels:";

ListedInstance instanceOf(TraceInstance trace) {
  ListedInstance instance;
  instance.path = std::move(trace.file);
  instance.function = std::move(trace.function);
  instance.arguments = std::move(trace.arguments);
  instance.target = std::move(trace.target);
  instance.trace = std::move(trace.path);
  instance.configuration = std::move(trace.configuration);
  return instance;
}

bool isTraceFile(const std::string &path, llvm::StringRef text) {
  return looksLikeTrace(text) || llvm::StringRef(path).ends_with(".trace");
}

class InstanceReader {
public:
  InstanceReader(const std::vector<std::string> &targets, bool mayHaveNone)
      : targets_(targets), mayHaveNone_(mayHaveNone) {}

  llvm::Error add(llvm::StringRef input) {
    if (std::optional<std::string> list = listOf(input))
      return addList(*list);
    if (llvm::sys::fs::is_directory(input))
      return addFolder(input.str());
    auto [path, function] = splitKernelName(input.str());
    llvm::Expected<std::string> text = readFile(path);
    if (!text)
      return text.takeError();
    return isTraceFile(path, *text) ? addTrace(path) : addKernels(*text, path, function);
  }

  ListedInstances take() {
    countEqual();
    return std::move(result_);
  }

private:
  llvm::Error addFolder(const std::string &path) {
    noteRead(path);
    llvm::Expected<TraceFolder> folder = readTraceFolder(path);
    if (!folder)
      return folder.takeError();
    for (TraceInstance &trace : folder->traces)
      result_.instances.push_back(instanceOf(std::move(trace)));
    llvm::append_range(result_.unread, folder->unread);
    return llvm::Error::success();
  }

  llvm::Error addTrace(const std::string &path) {
    llvm::Expected<TraceInstance> trace = readTraceInstance(path);
    if (!trace)
      return trace.takeError();
    result_.instances.push_back(instanceOf(std::move(*trace)));
    return llvm::Error::success();
  }

  llvm::Error addKernels(llvm::StringRef text, const std::string &path,
                         const std::string &function) {
    llvm::Expected<std::vector<KernelInstance>> instances = instancesOfKernel(text, path);
    if (!instances)
      return instances.takeError();
    if (!function.empty())
      std::erase_if(*instances, [&](const auto &one) { return one.function != function; });
    if (instances->empty() && !mayHaveNone_)
      return llvm::createStringError("'" + path + "' has no line '# tilescope: " +
                                     (function.empty() ? "FUNCTION" : function) + " ...'");
    for (const KernelInstance &instance : *instances)
      addForTargets(instance);
    return llvm::Error::success();
  }

  llvm::Error addList(const std::string &path) {
    llvm::Expected<std::string> text = readFile(path);
    if (!text)
      return text.takeError();
    llvm::Expected<std::vector<KernelInstance>> instances = instancesOfList(*text, path);
    if (!instances)
      return instances.takeError();
    for (const KernelInstance &instance : *instances) {
      bool isTrace = llvm::StringRef(instance.path).ends_with(".trace");
      if (llvm::sys::fs::is_directory(instance.path)) {
        if (llvm::Error error = addFolder(instance.path))
          return error;
      } else if (!isTrace) {
        addForTargets(instance);
      } else if (llvm::Error error = addTrace(instance.path)) {
        result_.unread.push_back({instance.path, llvm::toString(std::move(error))});
      }
    }
    return llvm::Error::success();
  }

  void addForTargets(const KernelInstance &instance) {
    if (!instance.target.empty()) {
      result_.instances.push_back({instance});
      return;
    }
    for (const std::string &target : targets_) {
      result_.instances.push_back({instance});
      result_.instances.back().target = target;
    }
  }

  void countEqual() {
    std::map<std::string, size_t> counts;
    for (ListedInstance &instance : result_.instances)
      if (!instance.trace.empty())
        instance.ordinal = ++counts[instance.name()];
    for (const auto &[name, count] : counts)
      if (count > 1)
        result_.notes.push_back(
            llvm::formatv("{0} traces of '{1}' are told apart by their passes and options, then by "
                          "the order of their file names",
                          count, name));
  }

  const std::vector<std::string> &targets_;
  bool mayHaveNone_;
  ListedInstances result_;
};

std::string absolutePath(llvm::StringRef path) {
  llvm::SmallString<128> whole(path);
  // Without a current folder the path stays as it is.
  (void)llvm::sys::fs::make_absolute(whole);
  llvm::sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  return whole.str().str();
}

} // namespace

void keepListArguments(CommandLine &commandLine, std::vector<std::string> &storage) {
  storage.reserve(commandLine.size()); // addresses must stay
  for (const char *&argument : commandLine)
    if (argument[0] == '@')
      argument = storage.emplace_back(ListPrefix.str() + (argument + 1)).c_str();
}

std::string ListedInstance::label() const {
  return labelOf(*this) + (ordinal > 1 ? " #" + std::to_string(ordinal) : "");
}

std::string ListedInstance::name() const { return (path.empty() ? "" : path + ":") + label(); }

std::string ListedInstance::fileName() const {
  return llvm::sys::path::filename(trace.empty() ? path : trace).str();
}

llvm::Expected<ListedInstances> instancesOf(const std::vector<std::string> &inputs,
                                            const std::vector<std::string> &targets,
                                            bool mayHaveNone) {
  for (const std::string &target : targets)
    if (llvm::Expected<const Target *> known = findTarget(target); !known)
      return known.takeError();
  InstanceReader reader(targets, mayHaveNone);
  for (const std::string &input : inputs)
    if (llvm::Error error = reader.add(input))
      return error;
  return reader.take();
}

bool standsForMany(const std::string &input) {
  return listOf(input) || llvm::sys::fs::is_directory(input);
}

// Of inputs that stand for many; "": nothing that they do not heed was given.
static std::string optionOfOne(const TraceOptions &source) {
  return source.hasPatches()     ? "--patch"
         : source.hasPasses()    ? "--passes"
         : source.hasLibraries() ? "--load"
                                 : "";
}

llvm::Expected<std::optional<ListedInstances>> manyOf(const TraceOptions &source,
                                                      llvm::ArrayRef<std::string> more) {
  const std::string &input = source.kernel().kernel();
  if (more.empty() && !standsForMany(input))
    return std::nullopt;
  std::string given = optionOfOne(source);
  if (given.empty() && more.empty())
    given = source.kernel().compileOption();
  if (!given.empty())
    return llvm::createStringError(
        (more.empty() ? "'" + listOf(input).value_or(input) + "' stands for many kernels: " : "") +
        given + " is for one that is compiled");
  if (more.empty()) {
    llvm::Expected<ListedInstances> listed = instancesOf({input}, {"sm_80"});
    if (!listed)
      return listed.takeError();
    return std::move(*listed);
  }
  std::vector<std::string> inputs{input};
  inputs.insert(inputs.end(), more.begin(), more.end());
  llvm::Expected<ListedInstances> listed = severalOf(inputs, source.kernel());
  if (!listed)
    return listed.takeError();
  return std::move(*listed);
}

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

// What is given stands in place of what a line says.
Settings overlaid(Settings arguments, const Settings &given) {
  for (const auto &[name, value] : given) {
    auto own =
        llvm::find_if(arguments, [&, &name = name](const auto &one) { return one.first == name; });
    if (own == arguments.end())
      arguments.emplace_back(name, value);
    else
      own->second = value;
  }
  return arguments;
}

llvm::Error addInput(const std::string &input, const KernelOptions &options,
                     ListedInstances &listed) {
  if (input == "-")
    return llvm::createStringError("standard input is one kernel, not one of several");
  bool isMany = standsForMany(input);
  llvm::Expected<ListedInstances> found =
      instancesOf({input}, {options.target()}, /*mayHaveNone=*/true);
  if (!found && isMany)
    return found.takeError();
  if (!found) {
    listed.unread.push_back({splitKernelName(input).first, llvm::toString(found.takeError())});
    return llvm::Error::success();
  }
  if (found->instances.empty() && !isMany)
    found->instances.emplace_back().path = splitKernelName(input).first;
  llvm::Expected<Settings> given = options.settings();
  if (!given)
    return given.takeError();
  for (ListedInstance &instance : found->instances) {
    if (!instance.trace.empty() && !options.compileOption().empty())
      return llvm::createStringError("'" + instance.trace + "' is a trace: " +
                                     options.compileOption() + " is for a kernel that is compiled");
    if (!instance.trace.empty())
      continue;
    if (instance.function.empty())
      instance.function = functionOf(input);
    if (instance.target.empty())
      instance.target = options.target();
    instance.arguments = overlaid(std::move(instance.arguments), *given);
  }
  llvm::append_range(listed.instances, found->instances);
  llvm::append_range(listed.unread, found->unread);
  llvm::append_range(listed.notes, found->notes);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ListedInstances> severalOf(llvm::ArrayRef<std::string> inputs,
                                          const KernelOptions &options) {
  ListedInstances listed;
  for (const std::string &input : inputs)
    if (llvm::Error error = addInput(input, options, listed))
      return error;
  return listed;
}

llvm::Expected<std::optional<ListedInstances>> linesOf(const TraceOptions &source) {
  const KernelOptions &options = source.kernel();
  const std::string &input = options.kernel();
  bool isOne = options.hasArguments() || !optionOfOne(source).empty();
  // What is no plain file can be read but once.
  if (isOne || !llvm::sys::fs::is_regular_file(input))
    return std::nullopt;
  llvm::Expected<std::string> text = readFile(input);
  if (!text)
    return text.takeError();
  if (isTraceFile(input, *text) || looksLikeIr(*text))
    return std::nullopt;
  llvm::Expected<std::vector<KernelInstance>> lines = instancesOfKernel(*text, input);
  if (!lines)
    return lines.takeError();
  if (lines->empty())
    return std::nullopt;
  return severalOf({input}, options);
}

llvm::Expected<CompileRequest> requestOf(const ListedInstance &instance,
                                         const KernelOptions &options) {
  std::string name = instance.path;
  if (!instance.function.empty())
    name += ":" + instance.function;
  llvm::Expected<CompileRequest> request = options.request(name);
  if (!request)
    return request.takeError();
  request->arguments = instance.arguments;
  // What the command line says comes last, and counts.
  request->passOptions.insert(request->passOptions.begin(), instance.passOptions.begin(),
                              instance.passOptions.end());
  request->target = instance.target;
  return request;
}

// Why a recorded compile failed; "": it did not. Errors of imported plans and of other compilers
// are what our checkers find.
static std::string failureOf(const Trace &trace) {
  bool isOurs = trace.header.compiler.empty() && !trace.header.pipeline.empty();
  if (!isOurs && !trace.passes.empty())
    return "";
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    if (diagnostic.severity == "error")
      return lineText("line ", diagnostic.sourceLine(), ": ") + diagnostic.text;
  for (const TracePass &pass : trace.passes)
    if (pass.status == PassStatus::Failed)
      return "pass '" + pass.name + "' failed";
  return "";
}

llvm::Expected<LoadedInstance> readWholeTrace(llvm::StringRef text, llvm::StringRef name) {
  llvm::Expected<Trace> trace = readTrace(text, name);
  if (!trace)
    return trace.takeError();
  if (!trace->complete)
    return llvm::createStringError("'" + name + "' is cut off" +
                                   (trace->recovery.empty() ? "" : ": " + trace->recovery));
  std::string failure = failureOf(*trace);
  if (failure.empty() && trace->passes.empty())
    return llvm::createStringError("'" + name + "' has no finished pass");
  return LoadedInstance{std::move(*trace), std::move(failure)};
}

// As a line says, and nothing else.
static llvm::Expected<CompileRequest> requestOf(const ListedInstance &instance) {
  llvm::Expected<std::string> text = readFile(instance.path);
  if (!text)
    return text.takeError();
  CompileRequest request;
  request.path = instance.path;
  request.text = std::move(*text);
  request.function = instance.function;
  request.arguments = instance.arguments;
  request.passOptions = instance.passOptions;
  request.target = instance.target;
  request.imports.read = watchedImports();
  return request;
}

static llvm::Expected<LoadedInstance> loadWithoutRegisters(const ListedInstance &instance,
                                                           const ProblemOptions *inputs,
                                                           const KernelOptions *options) {
  if (!instance.trace.empty()) {
    llvm::Expected<std::string> text = readFile(instance.trace);
    return text ? readWholeTrace(*text, instance.trace) : text.takeError();
  }
  llvm::Expected<CompileRequest> request =
      options ? requestOf(instance, *options) : requestOf(instance);
  if (!request)
    return request.takeError();
  RecordedCompile recorded = recordCompile(*request, inputs);
  LoadedInstance loaded{std::move(recorded.trace), ""};
  if (recorded.result.succeeded())
    return loaded;
  printDiagnostics(recorded.result);
  loaded.failure = failureOf(loaded.trace);
  if (loaded.failure.empty())
    loaded.failure = "it does not compile";
  return loaded;
}

llvm::Expected<LoadedInstance> load(const ListedInstance &instance, const ProblemOptions *inputs,
                                    const KernelOptions *options, const PtxasOption *ptxas) {
  llvm::Expected<LoadedInstance> loaded = loadWithoutRegisters(instance, inputs, options);
  if (!loaded || !ptxas || !loaded->failure.empty())
    return loaded;
  if (llvm::Error error = ptxas->addTo(loaded->trace))
    return llvm::createStringError("'" +
                                   (instance.trace.empty() ? instance.name() : instance.trace) +
                                   "': " + llvm::toString(std::move(error)));
  return loaded;
}

InstancesView instancesViewOf(const std::string &folder, ListedInstances &listed) {
  InstancesView view{folder, {}};
  std::vector<UnreadTrace> unlisted = listed.unread;
  for (const ListedInstance &instance : listed.instances) {
    llvm::Expected<LoadedInstance> loaded = load(instance);
    if (loaded) {
      view.rows.push_back(instanceRowOf(loaded->trace, instance.fileName()));
      view.rows.back().error = loaded->failure;
      continue;
    }
    InstanceRow row{.trace = instance.fileName(), .kernel = instance.function};
    row.target = instance.target;
    row.error = llvm::toString(loaded.takeError());
    listed.unread.push_back({instance.trace.empty() ? instance.path : instance.trace, row.error});
    view.rows.push_back(std::move(row));
  }
  for (const UnreadTrace &trace : unlisted)
    view.rows.push_back({.trace = llvm::sys::path::filename(trace.path).str(), .error = trace.why});
  return view;
}

int reportUnread(const std::vector<UnreadTrace> &unread) {
  int exitCode = Fine;
  for (const UnreadTrace &trace : unread)
    exitCode = report(llvm::createStringError(trace.why));
  return exitCode;
}

void printNotes(const ListedInstances &listed) {
  for (const std::string &note : listed.notes)
    llvm::WithColor::note(llvm::errs(), "tilescope") << note << '\n';
}

std::optional<std::string> listOf(llvm::StringRef kernel) {
  return kernel.consume_front(ListPrefix) ? std::optional(kernel.str()) : std::nullopt;
}

std::string functionOf(llvm::StringRef kernel) {
  return kernel.starts_with(ListPrefix) ? "" : splitKernelName(kernel.str()).second;
}

std::optional<std::string> wholeFileOf(llvm::StringRef kernel) {
  auto [path, function] = splitKernelName(kernel.str());
  if (kernel.starts_with(ListPrefix) || !function.empty() || !llvm::sys::fs::exists(path))
    return std::nullopt;
  return path;
}

std::vector<NamedFile> filesOf(const std::vector<std::string> &kernels) {
  std::vector<NamedFile> files;
  for (llvm::StringRef kernel : kernels) {
    bool isList = kernel.consume_front(ListPrefix);
    files.push_back(
        {isList ? "list" : "kernel", isList ? kernel.str() : splitKernelName(kernel.str()).first});
  }
  return files;
}

std::string textOf(const LockedName &name) { return name.file + ":" + name.label; }

KernelLocker::KernelLocker(const std::string &lockPath, const LayoutLock *then)
    : folder_(lockPath == "-" ? absolutePath(".")
                              : llvm::sys::path::parent_path(absolutePath(lockPath)).str()),
      then_(then) {}

LockedName KernelLocker::nameOf(const ListedInstance &instance) const {
  LockedName name{nameOf(instance.path), instance.label()};
  if (instance.trace.empty() || !then_)
    return name;
  auto fileName = [](llvm::StringRef file) { return llvm::sys::path::filename(file); };
  std::vector<std::string> files;
  for (const auto &[file, kernels] : then_->files)
    if (kernels.contains(name.label) && fileName(file) == fileName(name.file))
      files.push_back(file);
  if (files.size() == 1)
    name.file = files.front();
  return name;
}

std::string KernelLocker::nameOf(const std::string &kernelPath) const {
  std::filesystem::path path = absolutePath(kernelPath);
  return path.lexically_relative(folder_).generic_string();
}

bool KernelLocker::exists(const std::string &name) const {
  return std::filesystem::exists(std::filesystem::path(folder_) / name);
}

LockedInstances KernelLocker::add(ListedInstances &listed, LayoutLock &lock,
                                  const PtxasOption &ptxas) const {
  LockedInstances lost;
  for (const ListedInstance &instance : listed.instances) {
    LockedName name = nameOf(instance);
    llvm::Expected<LoadedInstance> loaded = load(instance, nullptr, nullptr, &ptxas);
    if (!loaded && !instance.trace.empty()) {
      listed.unread.push_back({instance.trace, llvm::toString(loaded.takeError())});
      lost.unread.push_back(std::move(name));
    } else if (!loaded) {
      report(loaded.takeError());
      lost.failed.push_back(std::move(name));
    } else if (!loaded->failure.empty()) {
      lost.failed.push_back(std::move(name));
    } else {
      lock.files[name.file][name.label] = lockedKernelOf(loaded->trace);
    }
  }
  return lost;
}

} // namespace tilescope
