#include "cli/kernel_list.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <filesystem>
#include <map>

namespace tilescope {

namespace {

// No file begins with it by accident.
constexpr llvm::StringLiteral ListPrefix = "list of kernels:";

llvm::Expected<std::vector<KernelInstance>> readInstances(llvm::StringRef kernel,
                                                          bool mayHaveNone) {
  bool isList = kernel.consume_front(ListPrefix);
  auto [path, function] =
      isList ? std::pair(kernel.str(), std::string()) : splitKernelName(kernel.str());
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  if (isList)
    return instancesOfList(*text, path);
  llvm::Expected<std::vector<KernelInstance>> instances = instancesOfKernel(*text, path);
  if (!instances)
    return instances.takeError();
  if (!function.empty())
    std::erase_if(*instances, [&function = function](const KernelInstance &instance) {
      return instance.function != function;
    });
  if (instances->empty() && !mayHaveNone)
    return llvm::createStringError("'" + path + "' has no line '# tilescope: " +
                                   (function.empty() ? "FUNCTION" : function) + " ...'");
  return instances;
}

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

llvm::Expected<std::vector<KernelInstance>> instancesOf(const std::vector<std::string> &kernels,
                                                        const std::vector<std::string> &targets,
                                                        bool mayHaveNone) {
  for (const std::string &target : targets)
    if (llvm::Expected<const Target *> known = findTarget(target); !known)
      return known.takeError();
  std::vector<KernelInstance> result;
  for (const std::string &kernel : kernels) {
    llvm::Expected<std::vector<KernelInstance>> instances = readInstances(kernel, mayHaveNone);
    if (!instances)
      return instances.takeError();
    for (KernelInstance &instance : *instances) {
      if (!instance.target.empty()) {
        result.push_back(std::move(instance));
        continue;
      }
      for (const std::string &target : targets) {
        result.push_back(instance);
        result.back().target = target;
      }
    }
  }
  return result;
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

KernelLocker::KernelLocker(const std::string &lockPath)
    : folder_(lockPath == "-" ? absolutePath(".")
                              : llvm::sys::path::parent_path(absolutePath(lockPath)).str()) {}

std::string KernelLocker::nameOf(const std::string &kernelPath) const {
  std::filesystem::path path = absolutePath(kernelPath);
  return path.lexically_relative(folder_).generic_string();
}

bool KernelLocker::exists(const std::string &name) const {
  return std::filesystem::exists(std::filesystem::path(folder_) / name);
}

std::vector<LockedName> KernelLocker::add(const std::vector<KernelInstance> &instances,
                                          LayoutLock &lock) {
  std::vector<LockedName> failed;
  for (const KernelInstance &instance : instances) {
    std::string file = nameOf(instance.path), label = labelOf(instance);
    CompileRequest request;
    request.path = instance.path;
    request.function = instance.function;
    request.arguments = instance.arguments;
    request.target = instance.target;
    llvm::Expected<std::string> text = readFile(request.path);
    if (!text) {
      report(text.takeError());
      failed.push_back({file, label});
      continue;
    }
    request.text = std::move(*text);
    TraceRecorder recorder;
    CompileResult result = compile(request, Observers{&recorder, {}});
    if (result.succeeded()) {
      lock.files[file][label] = lockedKernelOf(recorder.takeTrace());
      continue;
    }
    printDiagnostics(result);
    failed.push_back({file, label});
  }
  return failed;
}

} // namespace tilescope
