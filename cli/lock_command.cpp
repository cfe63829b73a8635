// lock: the shared memory of every kernel instance, into a file to keep.
#include "cli/kernel_list.h"

#include "llvm/Support/WithColor.h"

namespace tilescope {

int runLock(const CommandLine &words) {
  CommandLine commandLine = words;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope lock");
  llvm::cl::list<std::string> kernels(llvm::cl::Positional, llvm::cl::OneOrMore,
                                      llvm::cl::desc("KERNELS"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Lock file (default: standard output)"),
                                    llvm::cl::value_desc("LOCK"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  llvm::cl::list<std::string> targets(
      "target",
      llvm::cl::desc("GPU for instances that name none (default: sm_80); may be repeated"),
      llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Compiles every instance of the kernels and records its plan of shared memory: peak,\n"
          "blocks per SM, place and size of each buffer. 'tilescope check --lock' compares with "
          "it.\n"
          "Instances are lines of the kernel file,\n\n"
          "  # tilescope: FUNCTION --set M=1024 --target sm_80\n\n"
          "or stand in a list @FILE, one FILE.py:FUNCTION --set M=1024 a line. The lock names "
          "kernel\n"
          "files as seen from its folder. FILE.py:FUNCTION takes the instances of one function.\n\n"
          "  tilescope lock kernels/*.py -o smem.lock.json\n"))
    return *exitCode;
  const std::vector<std::string> given(kernels.begin(), kernels.end());
  if (llvm::Error error = checkOutputs({{"-o", output}}, filesOf(given)))
    return report(std::move(error));
  LayoutLock lock;
  lock.targets.assign(targets.begin(), targets.end());
  if (lock.targets.empty())
    lock.targets.push_back("sm_80");
  llvm::Expected<std::vector<KernelInstance>> instances = instancesOf(given, lock.targets);
  if (!instances)
    return report(instances.takeError());
  std::vector<LockedName> failed = KernelLocker(output).add(*instances, lock);
  for (const LockedName &name : failed)
    llvm::WithColor::error(llvm::errs(), "tilescope") << textOf(name) << " does not compile\n";
  if (!failed.empty())
    return Trouble;
  return report(writeFile(output, writeLock(lock)));
}

} // namespace tilescope
