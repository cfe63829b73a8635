// lock: the shared memory of every kernel instance, into a file to keep.
#include "cli/device_usage.h"
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
  PtxasOption ptxas(category);
  if (std::optional<int> exitCode = parseCommandLine(
          commandLine, category,
          "Compiles every instance of the kernels, or reads its trace, and records its plan of "
          "shared\n"
          "memory: peak, blocks per SM, place and size of each buffer. 'tilescope check --lock' "
          "compares\n"
          "with it.\n"
          "Instances are lines of the kernel file,\n\n"
          "  # tilescope: FUNCTION --set M=1024 --target sm_80\n\n"
          "or stand in a list @FILE, one FILE.py:FUNCTION --set M=1024 a line. The lock names "
          "kernel\n"
          "files as seen from its folder. FILE.py:FUNCTION takes the instances of one function. Of "
          "a "
          "folder\n"
          "of traces every trace is an instance, with the arguments that it was recorded with.\n\n"
          "  tilescope lock kernels/*.py -o smem.lock.json\n"
          "  tilescope lock kernels/*.py --ptxas -o smem.lock.json   # registers and spills, too\n"
          "  tilescope lock run/ -o smem.lock.json      # as TILESCOPE_RECORD=run left it\n"))
    return *exitCode;
  const std::vector<std::string> given(kernels.begin(), kernels.end());
  if (llvm::Error error = checkOutputs({{"-o", output}}, filesOf(given)))
    return report(std::move(error));
  if (llvm::Error error = ptxas.check())
    return report(std::move(error));
  LayoutLock lock;
  lock.targets.assign(targets.begin(), targets.end());
  if (lock.targets.empty())
    lock.targets.push_back("sm_80");
  llvm::Expected<ListedInstances> listed = instancesOf(given, lock.targets);
  if (!listed)
    return report(listed.takeError());
  LockedInstances lost = KernelLocker(output).add(*listed, lock, ptxas);
  printNotes(*listed);
  for (const LockedName &name : lost.failed)
    llvm::WithColor::error(llvm::errs(), "tilescope") << textOf(name) << " does not compile\n";
  if (int exitCode = reportUnread(listed->unread); exitCode != Fine || !lost.failed.empty())
    return exitCode == Fine ? Trouble : exitCode;
  return report(writeFile(output, writeLock(lock)));
}

} // namespace tilescope
