// What the verbs share: kernels and traces as arguments, exit codes, files, diagnostics.
#pragma once

#include "cli/command_line.h"
#include "cli/output_files.h"
#include "core/driver/kernel_name.h"
#include "core/exec/problem.h"
#include "core/json/archive.h"
#include "core/support/terminal_text.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

enum ExitCode : int {
  Fine = 0,
  Findings = 1, // check, diff, find, run --check found something
  Trouble = 2,
};

#define COMMAND(verb, Class, help) int run##Class(const CommandLine &commandLine);
#include "cli/commands.def"

void printVersion(llvm::raw_ostream &out);

// The whole file, "-" for standard input. The error names the file and the cause.
llvm::Expected<std::string> readFile(const std::string &path);

// Writes beside the final name and renames, so that a reader never sees half a file. "-" is
// standard output; an existing target that is no regular file is written directly.
llvm::Error writeFile(const std::string &path, llvm::StringRef text);

// Prints an error of the world to standard error and returns Trouble, or what an interrupt calls
// for; Fine if there is none.
int report(llvm::Error error);

// Indented, with a final newline; bytes that are no UTF-8 are replaced.
std::string dumpJson(const Json &json);

// Renders to standard error, in colour on a terminal.
void printDiagnostics(const CompileResult &result);
// The same of what is to be said of them.
void printDiagnostics(const CompileResult &result, llvm::ArrayRef<Diagnostic> said);

// How verbs name a kernel: FILE[:FUNCTION], --set NAME=VALUE, --target, options of passes, which
// plan of its shared memory to prefer, and what its evaluation may spend. Declare one in a verb,
// then parse; the options live as long as this object.
class KernelOptions {
public:
  explicit KernelOptions(llvm::cl::OptionCategory &category, bool isRequired = true);
  // Reads the file and the previous plan. "-" is standard input.
  llvm::Expected<CompileRequest> request() const { return request(kernel_); }
  // Of a kernel that was named in another place.
  llvm::Expected<CompileRequest> request(const std::string &kernel) const;
  // FILE[:FUNCTION] as given.
  const std::string &kernel() const { return kernel_; }
  // What --set gives, in order.
  llvm::Expected<std::vector<std::pair<std::string, std::string>>> settings() const;
  const std::string &target() const { return target_; }
  std::vector<std::string> pythonPath() const { return {pythonPath_.begin(), pythonPath_.end()}; }
  bool hasTarget() const { return target_.getNumOccurrences() > 0; }
  bool hasArguments() const { return !settings_.empty(); }
  bool hasPassOptions() const { return !passOptions_.empty(); }
  // An option that was given and that a trace does not heed, "--set"; "": none.
  std::string compileOption() const;
  bool hasPlanPreferences() const {
    return planFor_.getNumOccurrences() > 0 || previous_.getNumOccurrences() > 0;
  }

private:
  llvm::cl::opt<std::string> kernel_;
  llvm::cl::list<std::string> settings_;
  llvm::cl::opt<std::string> target_;
  llvm::cl::list<std::string> device_;
  llvm::cl::list<std::string> pythonPath_;
  llvm::cl::list<std::string> passOptions_;
  enum class PlanFor { Height, Occupancy };
  ChoiceOption<PlanFor> planFor_;
  llvm::cl::opt<std::string> previous_;
  CountOption maxSteps_;
  CountOption maxCallDepth_;
  CountOption maxListLength_;
  CountOption maxMemory_;
};

// What --help says of passes: ours, and those of the libraries that the command line loads.
std::string passHelpFor(const CommandLine &commandLine);

// What --help says of patches.
inline constexpr const char *PatchHelp =
    "\nA patch is a unified diff of what 'opt --tagged' prints after a pass; offsets of buffers "
    "are\n"
    "part of that. Both its file names are 'after PASS' ('after simplify#2': the second time that\n"
    "it runs; 'after elaborate': before the first pass). All checks follow it.\n";

// An error for a file that is called a trace and is none.
llvm::Error refuseBrokenTrace(llvm::StringRef path, llvm::StringRef text);

// --passes 'a,b{option=value}', and --load FILE.so, any number of times.
class PassesOption {
public:
  explicit PassesOption(
      llvm::cl::OptionCategory &category,
      llvm::StringRef help = "Passes to run instead of the default pipeline: 'a,b{option=value}'");
  // Loads the libraries; without --passes the default pipeline stays.
  llvm::Error addTo(CompileRequest &request) const;
  bool areGiven() const { return passes_.getNumOccurrences() > 0; }
  bool hasLibraries() const { return !libraries_.empty(); }

private:
  llvm::cl::opt<std::string> passes_;
  llvm::cl::list<std::string> libraries_;
};

// --patch FILE, any number of times.
class PatchOption {
public:
  explicit PatchOption(llvm::cl::OptionCategory &category);
  // Reads the files; none may be one of `outputs`.
  llvm::Error addTo(CompileRequest &request, llvm::ArrayRef<NamedFile> outputs) const;
  bool isGiven() const { return !files_.empty(); }

private:
  llvm::cl::list<std::string> files_;
};

// Where a view comes from: a trace file, or a kernel that is compiled and recorded in memory. IR
// text at a level where the default pipeline cannot begin is taken as it is.
class TraceOptions {
public:
  explicit TraceOptions(llvm::cl::OptionCategory &category)
      : kernel_(category), passes_(category), patches_(category) {}
  // Says on standard error what a torn trace lost, and prints the diagnostics of a compile. The
  // trace has at least one pass.
  llvm::Expected<Trace> load();
  // The same, also of a kernel that does not come to its first pass, and without the diagnostics of
  // a compile: they are in the trace.
  llvm::Expected<Trace> loadBegun();
  // A kernel that is loaded later is run on these after every pass; an error for a trace.
  void runOn(const ProblemOptions &inputs) { inputs_ = inputs; }
  // Those of the compile that was loaded, if it was one, and what they kept from being done.
  llvm::Error reportNotBegun() const;
  // A kernel was compiled and did not come to its end: what there is may be shown, but the exit
  // code is Trouble.
  bool hasFailed() const { return hasFailed_; }
  bool isCompiled() const { return compiled_.has_value(); } // here, not read from a trace
  int exitCode() const { return hasFailed_ ? Trouble : Fine; }
  const KernelOptions &kernel() const { return kernel_; }
  bool hasPatches() const { return patches_.isGiven(); }
  bool hasPasses() const { return passes_.areGiven(); }
  bool hasLibraries() const { return passes_.hasLibraries(); }

private:
  llvm::Expected<Trace> compileAndRecord(CompileRequest request);

  KernelOptions kernel_;
  PassesOption passes_;
  PatchOption patches_;
  std::optional<ProblemOptions> inputs_;
  bool hasFailed_ = false;
  std::optional<CompileResult> compiled_;
};

// --pass NAME|INDEX
class AfterPassOption {
public:
  AfterPassOption(llvm::cl::OptionCategory &category, llvm::StringRef help);
  bool isAll() const { return pass_ == "all"; } // of verbs that show each
  bool isGiven() const { return pass_.getNumOccurrences() > 0; }
  // By name (the last pass of that name) or by index; without either `otherwise`. The error lists
  // the passes of the trace.
  llvm::Expected<size_t> select(const Trace &trace, size_t otherwise) const;

private:
  llvm::cl::opt<std::string> pass_;
};

// --format text|json, and svg for verbs that draw
class FormatOption {
public:
  explicit FormatOption(llvm::cl::OptionCategory &category, bool draws = false);
  bool isJson() const { return format_ == Format::Json; }
  bool isSvg() const { return format_ == Format::Svg; }

private:
  enum class Format { Text, Json, Svg };
  ChoiceOption<Format> format_;
};

} // namespace tilescope
