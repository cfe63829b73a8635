#include "cli/lock_check.h"
#include "cli/lock_report.h"
#include "core/json/json_value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <set>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral NoInstance = "no line '# tilescope: FUNCTION ...'";

const char *nameOf(LockChangeKind kind) {
  static constexpr const char *Names[] = {"grew", "shrank", "changed"};
  return Names[static_cast<size_t>(kind)];
}

// File as the lock names it, and one of its functions; "": all.
using GivenKernels = std::pair<std::string, std::string>;

// See labelOf.
std::string functionOfLabel(llvm::StringRef label) { return label.split(' ').first.str(); }

class LockComparison {
public:
  LockComparison(const LayoutLock &then, const KernelLocker &locker)
      : then_(then), locker_(locker) {}

  // `given` are the files, or functions of files, whose instances were compiled.
  LockReport run(const LayoutLock &now, const std::set<GivenKernels> &given,
                 const std::vector<LockedName> &failed) {
    failed_.insert(failed.begin(), failed.end());
    for (const auto &[file, label] : failed)
      add(file, label, "failed", "does not compile");
    for (const auto &[file, kernels] : now.files)
      for (const auto &[label, kernel] : kernels)
        compare(file, label, kernel);
    for (const auto &[file, kernels] : then_.files)
      for (const auto &[label, kernel] : kernels)
        findGone(file, label, now, given);
    return std::move(report_);
  }

private:
  void add(const std::string &file, const std::string &label, const std::string &kind,
           std::string text, std::string function = "") {
    report_.grew |= kind == "grew" || kind == "failed" || kind == "lost";
    report_.findings.push_back({file, label, std::move(function), kind, std::move(text)});
  }

  const LockedKernel *find(const LayoutLock &lock, const std::string &file,
                           const std::string &label) const {
    auto kernels = lock.files.find(file);
    if (kernels == lock.files.end())
      return nullptr;
    auto kernel = kernels->second.find(label);
    return kernel == kernels->second.end() ? nullptr : &kernel->second;
  }

  void compare(const std::string &file, const std::string &label, const LockedKernel &now) {
    const LockedKernel *then = find(then_, file, label);
    if (!then) {
      add(file, label, "new", "not in the lock");
      return;
    }
    ++report_.checked;
    std::vector<LockChange> changes = compareLocked(*then, now);
    report_.unchanged += changes.empty();
    for (LockChange &change : changes)
      add(file, label, nameOf(change.kind), std::move(change.text), change.function);
  }

  void findGone(const std::string &file, const std::string &label, const LayoutLock &now,
                const std::set<GivenKernels> &given) {
    if (find(now, file, label) || failed_.count({file, label}))
      return;
    if (!locker_.exists(file))
      add(file, label, "gone", "its file is gone");
    else if (given.contains({file, ""}) && !now.files.contains(file) && !hasFailed(file))
      add(file, label, "lost", "its file has " + NoInstance.str() + " any more");
    else if (given.contains({file, ""}) || given.contains({file, functionOfLabel(label)}))
      add(file, label, "gone", "its file has no such instance");
    else
      ++report_.notChecked;
  }

  bool hasFailed(const std::string &file) const {
    return llvm::any_of(failed_, [&](const LockedName &name) { return name.file == file; });
  }

  const LayoutLock &then_;
  const KernelLocker &locker_;
  std::set<LockedName> failed_;
  LockReport report_;
};

void print(const LockReport &report, bool wasUpdated) {
  std::string last;
  for (const LockFinding &finding : report.findings) {
    std::string kernel = textOf({finding.file, finding.kernel});
    if (kernel != last)
      llvm::outs() << kernel << '\n';
    last = std::move(kernel);
    llvm::outs() << "  " << finding.kind << ": "
                 << (finding.function.empty() ? "" : finding.function + ": ") << finding.text
                 << '\n';
  }
  llvm::outs() << llvm::formatv("{0:N} {1} compared, {2:N} unchanged", report.checked,
                                report.checked == 1 ? "kernel" : "kernels", report.unchanged);
  if (report.notChecked)
    llvm::outs() << llvm::formatv(", {0:N} of other files or functions not compared",
                                  report.notChecked);
  llvm::outs() << '\n';
  if (wasUpdated)
    llvm::outs() << "the lock is up to date\n";
  else if (llvm::any_of(report.findings, [](const auto &f) { return f.kind == "failed"; }))
    llvm::outs() << "what does not compile is not accepted into a lock\n";
  else if (!report.findings.empty())
    llvm::outs() << "'tilescope check --lock LOCK --update KERNELS' accepts this\n";
}

// Entries of files that were not given stay.
LayoutLock updated(const LayoutLock &then, const LayoutLock &now, const LockReport &report) {
  LayoutLock result = then;
  for (const LockFinding &finding : report.findings)
    if (finding.kind == "gone" || finding.kind == "lost")
      result.files[finding.file].erase(finding.kernel);
  for (const auto &[file, kernels] : now.files)
    for (const auto &[label, kernel] : kernels)
      result.files[file][label] = kernel;
  std::erase_if(result.files, [](const auto &entry) { return entry.second.empty(); });
  return result;
}

// What a check is asked of.
struct LockedInstances {
  std::set<GivenKernels> given;
  std::vector<KernelInstance> instances;
  std::vector<PassedOver> passedOver;
};

// A hook passes every file of a commit. One that is in the lock has kernels, whatever it looks
// like.
llvm::Error addInstances(const std::string &kernel, const LayoutLock &lock,
                         const KernelLocker &locker, LockedInstances &result) {
  std::optional<std::string> path = wholeFileOf(kernel);
  bool isInLock = path && lock.files.contains(locker.nameOf(*path));
  if (path && !isInLock && !llvm::StringRef(*path).ends_with(".py")) {
    result.passedOver.push_back({*path, "it is no Python file"});
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<KernelInstance>> some =
      instancesOf({kernel}, lock.targets, /*mayHaveNone=*/path.has_value());
  if (!some)
    return some.takeError();
  if (some->empty() && isInLock)
    result.given.insert({locker.nameOf(*path), ""});
  else if (some->empty())
    result.passedOver.push_back({*path, "it has " + NoInstance.str()});
  for (KernelInstance &instance : *some) {
    result.given.insert({locker.nameOf(instance.path), functionOf(kernel)});
    result.instances.push_back(std::move(instance));
  }
  return llvm::Error::success();
}

} // namespace

int checkLock(const LockCheck &check) {
  if (llvm::Error error = checkOutputs({{"--lock", check.lockPath}}, filesOf(check.kernels)))
    return report(std::move(error));
  llvm::Expected<std::string> text = readFile(check.lockPath);
  if (!text)
    return report(text.takeError());
  llvm::Expected<LayoutLock> then = readLock(*text, check.lockPath);
  if (!then)
    return report(then.takeError());
  KernelLocker locker(check.lockPath);
  LockedInstances asked;
  for (const std::string &kernel : check.kernels)
    if (llvm::Error error = addInstances(kernel, *then, locker, asked))
      return report(std::move(error));
  for (const PassedOver &file : asked.passedOver)
    llvm::WithColor::note(llvm::errs(), "tilescope")
        << "'" << file.file << "' is passed over: " << file.why << '\n';
  LayoutLock now;
  std::vector<LockedName> failed = locker.add(asked.instances, now);
  LockReport found = LockComparison(*then, locker).run(now, asked.given, failed);
  found.passedOver = std::move(asked.passedOver);
  bool writes = check.update && failed.empty();
  if (writes)
    if (llvm::Error error = writeFile(check.lockPath, writeLock(updated(*then, now, found))))
      return report(std::move(error));
  if (check.asJson)
    llvm::outs() << dumpJson(toJson(found));
  else
    print(found, writes);
  if (check.update)
    return writes ? Fine : Trouble;
  return found.grew ? Findings : Fine;
}

} // namespace tilescope
