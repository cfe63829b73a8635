#include "cli/lock_check.h"
#include "cli/lock_report.h"
#include "core/json/json_value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
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

// What a check is asked of.
struct AskedInstances {
  // Files, or functions of files, whose instances were compiled; files that a folder has traces of.
  std::set<GivenKernels> given;
  std::set<std::string> recorded; // of them those of traces
  ListedInstances listed;
  std::vector<PassedOver> passedOver;
};

class LockComparison {
public:
  LockComparison(const LayoutLock &then, const KernelLocker &locker, const AskedInstances &asked)
      : then_(then), locker_(locker), asked_(asked) {}

  LockReport run(const LayoutLock &now, const LockedInstances &lost) {
    lost_.insert(lost.failed.begin(), lost.failed.end());
    lost_.insert(lost.unread.begin(), lost.unread.end());
    for (const auto &[file, label] : lost.failed)
      add(file, label, "failed", "does not compile");
    for (const auto &[file, kernels] : now.files)
      for (const auto &[label, kernel] : kernels)
        compare(file, label, kernel);
    for (const auto &[file, kernels] : then_.files)
      for (const auto &[label, kernel] : kernels)
        findGone(file, label, now);
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
    report_.registersNotCompared |= haveRegistersOnOneSide(*then, now);
    for (LockChange &change : changes)
      add(file, label, nameOf(change.kind), std::move(change.text), change.function);
  }

  void findGone(const std::string &file, const std::string &label, const LayoutLock &now) {
    const std::set<GivenKernels> &given = asked_.given;
    if (find(now, file, label) || lost_.count({file, label}))
      return;
    if (asked_.recorded.contains(file))
      add(file, label, "gone", "there is no trace of it");
    else if (!locker_.exists(file))
      add(file, label, "gone", "its file is gone");
    else if (given.contains({file, ""}) && !now.files.contains(file) && !hasFailed(file))
      add(file, label, "lost", "its file has " + NoInstance.str() + " any more");
    else if (given.contains({file, ""}) || given.contains({file, functionOfLabel(label)}))
      add(file, label, "gone", "its file has no such instance");
    else
      ++report_.notChecked;
  }

  bool hasFailed(const std::string &file) const {
    return llvm::any_of(lost_, [&](const LockedName &name) { return name.file == file; });
  }

  const LayoutLock &then_;
  const KernelLocker &locker_;
  const AskedInstances &asked_;
  std::set<LockedName> lost_; // that failed, or cannot be read
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
  if (report.registersNotCompared)
    llvm::outs() << "registers were not compared: --ptxas asked for them on one side only\n";
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

// A hook passes every file of a commit. One that is in the lock has kernels, whatever it looks
// like.
llvm::Error addInstances(const std::string &kernel, const LayoutLock &lock,
                         const KernelLocker &locker, AskedInstances &result) {
  bool isFolder = llvm::sys::fs::is_directory(kernel);
  std::optional<std::string> path = isFolder ? std::nullopt : wholeFileOf(kernel);
  bool isInLock = path && lock.files.contains(locker.nameOf(*path));
  if (path && !isInLock && !llvm::StringRef(*path).ends_with(".py")) {
    result.passedOver.push_back({*path, "it is no Python file"});
    return llvm::Error::success();
  }
  llvm::Expected<ListedInstances> some =
      instancesOf({kernel}, lock.targets, /*mayHaveNone=*/path.has_value());
  if (!some)
    return some.takeError();
  if (some->instances.empty() && path && isInLock)
    result.given.insert({locker.nameOf(*path), ""});
  else if (some->instances.empty() && path)
    result.passedOver.push_back({*path, "it has " + NoInstance.str()});
  for (ListedInstance &instance : some->instances) {
    std::string file = locker.nameOf(instance).file;
    if (isFolder)
      result.recorded.insert(file);
    if (isFolder || instance.trace.empty())
      result.given.insert({file, functionOf(kernel)});
    result.listed.instances.push_back(std::move(instance));
  }
  llvm::append_range(result.listed.unread, some->unread);
  llvm::append_range(result.listed.notes, some->notes);
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
  KernelLocker locker(check.lockPath, &*then);
  AskedInstances asked;
  for (const std::string &kernel : check.kernels)
    if (llvm::Error error = addInstances(kernel, *then, locker, asked))
      return report(std::move(error));
  for (const PassedOver &file : asked.passedOver)
    llvm::WithColor::note(llvm::errs(), "tilescope")
        << "'" << file.file << "' is passed over: " << file.why << '\n';
  printNotes(asked.listed);
  LayoutLock now;
  LockedInstances lost = locker.add(asked.listed, now, check.ptxas);
  LockReport found = LockComparison(*then, locker, asked).run(now, lost);
  found.passedOver = std::move(asked.passedOver);
  for (const UnreadTrace &trace : asked.listed.unread)
    found.passedOver.push_back({trace.path, trace.why});
  bool writes = check.update && lost.failed.empty() && asked.listed.unread.empty();
  if (writes)
    if (llvm::Error error = writeFile(check.lockPath, writeLock(updated(*then, now, found))))
      return report(std::move(error));
  if (check.asJson)
    llvm::outs() << dumpJson(toJson(found));
  else
    print(found, writes);
  if (int exitCode = reportUnread(asked.listed.unread); exitCode != Fine)
    return exitCode;
  if (check.update)
    return writes ? Fine : Trouble;
  return found.grew ? Findings : Fine;
}

} // namespace tilescope
