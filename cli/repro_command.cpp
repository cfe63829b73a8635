// repro: a compile as one archive that is done again by one command.
#include "cli/repro_bundle.h"

#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

constexpr const char *ReproOverview =
    "Packs a compile for a report: the trace, the kernel file and what it imports, its arguments, "
    "passes\n"
    "with their options, libraries of --load, patches, the version, and a script with the "
    "command.\n"
    "Before it is written it is done again from the archive alone, and must come to the same.\n"
    "Of an archive, without -o: does it again and compares: exit code 0 if it comes to what was\n"
    "recorded (the error, or the CUDA), 1 if not.\n\n"
    "Kernel and imported files are read where the trace says that they were.\n\n"
    "  tilescope repro gemm.trace -o bug.tar.xz\n"
    "  tilescope repro gemm.py:matmul --set M=1024 --patch moved.patch -o bug.tar.xz\n"
    "  tilescope repro gemm.py --load libmine.so --passes 'simplify,my-pass' -o bug.tar.xz\n"
    "  tilescope repro bug.tar.xz\n"
    "  tilescope repro bug.tar.xz --run-libraries   # machine code of who sent it\n";

bool isArchive(llvm::StringRef name) {
  for (llvm::StringRef suffix : {".tar", ".tar.gz", ".tar.xz", ".tar.zst", ".tgz"})
    if (name.ends_with(suffix))
      return true;
  return false;
}

// "bug" of "reports/bug.tar.xz".
std::string bundleName(llvm::StringRef archive) {
  return llvm::sys::path::filename(archive).split(".t").first.str();
}

// What is packed.
struct PackedCompile {
  explicit PackedCompile(llvm::cl::OptionCategory &category)
      : kernel(category), passes(category), patches(category) {}

  KernelOptions kernel;
  PassesOption passes;
  PatchOption patches;
};

// The text of a trace, or of one of a kernel that is compiled for it.
llvm::Expected<std::string> recordedText(const PackedCompile &packed, const std::string &folder) {
  const KernelOptions &kernel = packed.kernel;
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return request.takeError();
  if (looksLikeTrace(request->text)) {
    if (std::string given = packed.patches.isGiven()       ? "--patch"
                            : packed.passes.areGiven()     ? "--passes"
                            : packed.passes.hasLibraries() ? "--load"
                                                           : kernel.compileOption();
        !given.empty() && given != "--python-path")
      return llvm::createStringError("'" + request->path + "' is a trace: " + given +
                                     " is for a kernel that is compiled");
    return std::move(request->text);
  }
  if (llvm::Error error = packed.patches.addTo(*request, {}))
    return error;
  if (llvm::Error error = packed.passes.addTo(*request))
    return error;
  std::string file = folder + "/compiled.trace";
  llvm::Expected<std::unique_ptr<TraceWriter>> writer = TraceWriter::open(file);
  if (!writer)
    return writer.takeError();
  TraceRecorder recorder(writer->get());
  CompileResult result = compile(*request, {&recorder, {}});
  return readFile(file);
}

int reportReplay(const Trace &recorded, const Trace &replayed) {
  std::vector<std::string> differences = replayDifferences(recorded, replayed);
  TerminalText out(llvm::outs());
  if (differences.empty()) {
    out << "the same: " << outcomeText(recorded) << '\n';
    return Fine;
  }
  out << "recorded: " << outcomeText(recorded) << "\nnow:      " << outcomeText(replayed) << '\n';
  for (const std::string &difference : differences)
    out << "  " << difference << '\n';
  if (recorded.header.toolVersion != ToolVersion)
    out << "recorded by tilescope " << recorded.header.toolVersion << ", this is " << ToolVersion
        << '\n';
  return Findings;
}

llvm::Expected<Trace> replay(const std::string &bundle) {
  llvm::Expected<BundleCommand> command = readBundleCommand(bundle);
  return command ? replayBundle(bundle, *command) : command.takeError();
}

int pack(const PackedCompile &packed, const std::string &output, const std::string &folder) {
  const KernelOptions &kernel = packed.kernel;
  llvm::Expected<std::string> text = recordedText(packed, folder);
  if (!text)
    return report(text.takeError());
  llvm::Expected<Trace> trace = readTrace(*text, kernel.kernel());
  if (!trace)
    return report(trace.takeError());
  std::string bundle = folder + "/" + bundleName(output);
  if (std::error_code code = llvm::sys::fs::create_directory(bundle))
    return report(llvm::createStringError("cannot make a folder: " + code.message()));
  if (llvm::Error error = writeBundle(*trace, *text, kernel.pythonPath(), bundle))
    return report(std::move(error));
  std::string archive = folder + "/" + llvm::sys::path::filename(output).str();
  if (llvm::Error error = packFolder(bundle, archive))
    return report(std::move(error));
  llvm::Expected<Trace> replayed = replay(bundle);
  if (!replayed)
    return report(replayed.takeError());
  if (int exitCode = reportReplay(*trace, *replayed); exitCode != Fine)
    return report(llvm::createStringError(
        "nothing was written: from the bundle alone it does not come to the same"));
  llvm::Expected<std::string> bytes = readFile(archive);
  return report(bytes ? writeFile(output, *bytes) : bytes.takeError());
}

int replayArchive(const std::string &archive, const std::string &folder, bool runsLibraries) {
  llvm::Expected<std::string> bundle = unpackFolder(archive, folder);
  if (!bundle)
    return report(bundle.takeError());
  llvm::Expected<Trace> recorded = readTraceFile(*bundle + "/" + ReproTrace);
  if (!recorded)
    return report(recorded.takeError());
  llvm::Expected<BundleCommand> command = readBundleCommand(*bundle);
  if (!command)
    return report(command.takeError());
  if (!command->libraries.empty() && !runsLibraries)
    return report(llvm::createStringError(
        "'" + archive + "' holds passes as machine code, which --run-libraries runs"));
  llvm::Expected<Trace> replayed = replayBundle(*bundle, *command);
  return replayed ? reportReplay(*recorded, *replayed) : report(replayed.takeError());
}

} // namespace

int runRepro(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope repro");
  PackedCompile packed(category);
  llvm::cl::opt<bool> runsLibraries(
      "run-libraries", llvm::cl::desc("Of an archive: run its passes, which are machine code"),
      llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o",
                                    llvm::cl::desc("The archive: .tar.xz, .tar.gz, .tar.zst or "
                                                   ".tar"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ReproOverview))
    return *exitCode;
  const std::string &input = packed.kernel.kernel();
  bool isReplay = isArchive(input);
  if (isReplay != output.empty())
    return report(llvm::createStringError(
        isReplay ? "'" + input + "' is an archive, which is done again without -o"
                 : "repro wants an archive to write: -o FILE.tar.xz"));
  if (!isReplay && runsLibraries)
    return report(llvm::createStringError("--run-libraries is for an archive"));
  if (!isReplay && !isArchive(output))
    return report(llvm::createStringError("-o wants a name that ends with .tar.xz, .tar.gz, "
                                          ".tar.zst or .tar, not '" +
                                          output + "'"));
  if (llvm::Error error = checkOutputs({{"-o", output}}, {{"trace", input}}))
    return report(std::move(error));
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope-repro", folder))
    return report(llvm::createStringError("cannot make a temporary folder: " + code.message()));
  auto remove = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  return isReplay ? replayArchive(input, folder.str().str(), runsLibraries)
                  : pack(packed, output, folder.str().str());
}

} // namespace tilescope
