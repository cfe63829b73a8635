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
    "with their options, patches, the version, and a script with the command. Before it is written "
    "it is\n"
    "done again from the archive alone, and must come to the same. Of an archive, without -o: does "
    "it\n"
    "again and compares: exit code 0 if it comes to what was recorded (the error, or the CUDA), 1 "
    "if not.\n\n"
    "Kernel and imported files are read where the trace says that they were.\n\n"
    "  tilescope repro gemm.trace -o bug.tar.xz\n"
    "  tilescope repro gemm.py:matmul --set M=1024 --patch moved.patch -o bug.tar.xz\n"
    "  tilescope repro bug.tar.xz\n";

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

// The text of a trace, or of one of a kernel that is compiled for it.
llvm::Expected<std::string> recordedText(const KernelOptions &kernel, const PatchOption &patches,
                                         const std::string &folder) {
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return request.takeError();
  if (looksLikeTrace(request->text)) {
    if (std::string given = patches.isGiven() ? "--patch" : kernel.compileOption();
        !given.empty() && given != "--python-path")
      return llvm::createStringError("'" + request->path + "' is a trace: " + given +
                                     " is for a kernel that is compiled");
    return std::move(request->text);
  }
  if (llvm::Error error = patches.addTo(*request, {}))
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

int pack(const KernelOptions &kernel, const PatchOption &patches, const std::string &output,
         const std::string &folder) {
  llvm::Expected<std::string> text = recordedText(kernel, patches, folder);
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
  std::string packed = folder + "/" + llvm::sys::path::filename(output).str();
  if (llvm::Error error = packFolder(bundle, packed))
    return report(std::move(error));
  llvm::Expected<Trace> replayed = replayBundle(bundle);
  if (!replayed)
    return report(replayed.takeError());
  if (int exitCode = reportReplay(*trace, *replayed); exitCode != Fine)
    return report(llvm::createStringError(
        "nothing was written: from the bundle alone it does not come to the same"));
  llvm::Expected<std::string> bytes = readFile(packed);
  return report(bytes ? writeFile(output, *bytes) : bytes.takeError());
}

int replay(const std::string &archive, const std::string &folder) {
  llvm::Expected<std::string> bundle = unpackFolder(archive, folder);
  if (!bundle)
    return report(bundle.takeError());
  llvm::Expected<Trace> recorded = readTraceFile(*bundle + "/" + ReproTrace);
  if (!recorded)
    return report(recorded.takeError());
  llvm::Expected<Trace> replayed = replayBundle(*bundle);
  return replayed ? reportReplay(*recorded, *replayed) : report(replayed.takeError());
}

} // namespace

int runRepro(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope repro");
  KernelOptions kernel(category);
  PatchOption patches(category);
  llvm::cl::opt<std::string> output("o",
                                    llvm::cl::desc("The archive: .tar.xz, .tar.gz, .tar.zst or "
                                                   ".tar"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ReproOverview))
    return *exitCode;
  bool isReplay = isArchive(kernel.kernel());
  if (isReplay != output.empty())
    return report(llvm::createStringError(
        isReplay ? "'" + kernel.kernel() + "' is an archive, which is done again without -o"
                 : "repro wants an archive to write: -o FILE.tar.xz"));
  if (!isReplay && !isArchive(output))
    return report(llvm::createStringError("-o wants a name that ends with .tar.xz, .tar.gz, "
                                          ".tar.zst or .tar, not '" +
                                          output + "'"));
  if (llvm::Error error = checkOutputs({{"-o", output}}, {{"trace", kernel.kernel()}}))
    return report(std::move(error));
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope-repro", folder))
    return report(llvm::createStringError("cannot make a temporary folder: " + code.message()));
  auto remove = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  return isReplay ? replay(kernel.kernel(), folder.str().str())
                  : pack(kernel, patches, output, folder.str().str());
}

} // namespace tilescope
