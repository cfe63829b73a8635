// Many kernels on one command line, and what they need of shared memory: shared by `lock` and
// `check --lock`.
#pragma once

#include "cli/command.h"
#include "core/diff/layout_lock.h"
#include "core/driver/kernel_instances.h"

namespace tilescope {

// LLVM's parser replaces an argument @FILE by the words of FILE; a list of kernels is no list of
// options. Makes such arguments plain values that `instancesOf` knows again. `storage` must live as
// long as the command line.
void keepListArguments(CommandLine &commandLine, std::vector<std::string> &storage);

// The instances of kernel files, FILE or FILE:FUNCTION, and of @FILE lists; those for any target
// once for each of `targets`. A kernel file, or a function, without an instance is an error, and so
// is a target that is not known.
// `mayHaveNone`: a file without an instance is no error.
llvm::Expected<std::vector<KernelInstance>> instancesOf(const std::vector<std::string> &kernels,
                                                        const std::vector<std::string> &targets,
                                                        bool mayHaveNone = false);

// A kernel file that is named without a function, and is there. nullopt: a list, FILE:FUNCTION.
std::optional<std::string> wholeFileOf(llvm::StringRef kernel);

// The list file that an argument @FILE names. nullopt: it is no list.
std::optional<std::string> listOf(llvm::StringRef kernel);

// The function that FILE:FUNCTION names; "" for files and lists.
std::string functionOf(llvm::StringRef kernel);

// The files that these arguments name.
std::vector<NamedFile> filesOf(const std::vector<std::string> &kernels);

// How a lock names an instance.
struct LockedName {
  std::string file;
  std::string label;

  friend auto operator<=>(const LockedName &, const LockedName &) = default;
};

// "kernels/gemm.py:matmul --set M=1024 --target sm_80"
std::string textOf(const LockedName &name);

// Compiles each instance. `lockPath` is the file that the lock is for: it names kernel files as
// seen from its folder ("-": from the current one).
class KernelLocker {
public:
  explicit KernelLocker(const std::string &lockPath);

  // Adds what the instances need; the diagnostics of a failed compile go to standard error.
  // Returns those that failed.
  std::vector<LockedName> add(const std::vector<KernelInstance> &instances, LayoutLock &lock);

  std::string nameOf(const std::string &kernelPath) const;
  // Whether the file that the lock names so is there.
  bool exists(const std::string &name) const;

private:
  std::string folder_;
};

} // namespace tilescope
