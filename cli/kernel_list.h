// What a command line names: kernel files, @LIST files, traces and folders of traces, all of them
// as instances. A verb of one kernel takes many where one word stands for many.
#pragma once

#include "cli/command.h"
#include "core/diff/layout_lock.h"
#include "core/driver/kernel_instances.h"
#include "core/trace_file/trace_folder.h"
#include "core/views/instances_model.h"

namespace tilescope {

class PtxasOption;

// LLVM's parser replaces an argument @FILE by the words of FILE; a list of kernels is no list of
// options. Makes such arguments plain values that `instancesOf` knows again. `storage` must live as
// long as the command line.
void keepListArguments(CommandLine &commandLine, std::vector<std::string> &storage);

// An instance to compile, or a trace of one: then the kernel is what its first record says.
struct ListedInstance : KernelInstance {
  std::string trace = {};         // path of the trace file; "": it is compiled
  std::string configuration = {}; // see TraceInstance
  size_t ordinal = 1;             // among traces of the same file, function, arguments and target

  // "matmul --set M=1024 --target sm_90a", " #2" behind the second of equal traces.
  std::string label() const;
  // The label with the file in front, as far as it is known.
  std::string name() const;
  // Of the trace, or the kernel file, without its folder.
  std::string fileName() const;
};

struct ListedInstances {
  std::vector<ListedInstance> instances;
  std::vector<UnreadTrace> unread; // traces of folders and lists; the others go on
  std::vector<std::string> notes;  // that traces are alike but for their configurations
};

// The instances of kernel files, FILE or FILE:FUNCTION, of @FILE lists, of traces and of folders of
// traces; those to compile for any target once for each of `targets`. A kernel file, or a function,
// without an instance is an error, and so is a target that is not known.
// `mayHaveNone`: a file without an instance is no error.
llvm::Expected<ListedInstances> instancesOf(const std::vector<std::string> &inputs,
                                            const std::vector<std::string> &targets,
                                            bool mayHaveNone = false);

// Whether the word is a folder or a list.
bool standsForMany(const std::string &input);

// The instances that the inputs of a verb stand for: the one of `source`, and `more`. nullopt: it
// is one kernel, or one trace. An error if an option was given that a trace does not heed.
llvm::Expected<std::optional<ListedInstances>> manyOf(const TraceOptions &source,
                                                      llvm::ArrayRef<std::string> more = {});

// Those that a kernel file lists, for a verb that takes several: where its name stands alone,
// without a function, --set or what only one kernel heeds. nullopt: that is not so, or it lists
// none.
llvm::Expected<std::optional<ListedInstances>> linesOf(const TraceOptions &source);

// The instances of several inputs. Of a kernel file that lists none its one kernel, as the options
// say; those that are listed have what --set gives in place of what they say. An input that cannot
// be read joins `unread`.
llvm::Expected<ListedInstances> severalOf(llvm::ArrayRef<std::string> inputs,
                                          const KernelOptions &options);

// To compile one of several, with what the options say beside its own arguments and target.
llvm::Expected<CompileRequest> requestOf(const ListedInstance &instance,
                                         const KernelOptions &options);

struct LoadedInstance {
  Trace trace;
  std::string failure; // why it does not compile; "": it does
};

// Reads the trace, or compiles the instance with its diagnostics on standard error. An error: it
// cannot be read, is cut off, or has no finished pass and no failure.
// `inputs`, not null: what a kernel is run on after every pass. `options`, not null: as of
// requestOf. `ptxas`, not null: what it asks for of a compile that came to its end; then an error
// may also be that ptxas does not take the CUDA.
llvm::Expected<LoadedInstance> load(const ListedInstance &instance,
                                    const ProblemOptions *inputs = nullptr,
                                    const KernelOptions *options = nullptr,
                                    const PtxasOption *ptxas = nullptr);

// A trace as above. `name` is for messages.
llvm::Expected<LoadedInstance> readWholeTrace(llvm::StringRef text, llvm::StringRef name);

// A row each, read or compiled one after the other; those that cannot be read join `listed.unread`,
// and have rows of their own.
InstancesView instancesViewOf(const std::string &folder, ListedInstances &listed);

// Names each on standard error. Fine if there is none, else Trouble.
int reportUnread(const std::vector<UnreadTrace> &unread);
void printNotes(const ListedInstances &listed);

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

// What became of the instances of a lock.
struct LockedInstances {
  std::vector<LockedName> failed; // they do not compile
  std::vector<LockedName> unread; // instances that nothing is known of
};

// Compiles each instance, or reads its trace. `lockPath` is the file that the lock is for: it names
// kernel files as seen from its folder ("-": from the current one). A recorded kernel may lie in
// another checkout than that of the lock `then`: it is called as there, by file name and label.
class KernelLocker {
public:
  explicit KernelLocker(const std::string &lockPath, const LayoutLock *then = nullptr);

  // Adds what the instances need; the diagnostics of a failed compile go to standard error. Traces
  // that cannot be read join `listed.unread`.
  LockedInstances add(ListedInstances &listed, LayoutLock &lock, const PtxasOption &ptxas) const;

  LockedName nameOf(const ListedInstance &instance) const;
  std::string nameOf(const std::string &kernelPath) const;
  // Whether the file that the lock names so is there.
  bool exists(const std::string &name) const;

private:
  std::string folder_;
  const LayoutLock *then_;
};

} // namespace tilescope
