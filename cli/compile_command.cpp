// compile: a kernel to CUDA, headless.
#include "cli/instance_checks.h"
#include "cli/kernel_list.h"
#include "cli/pass_reports.h"
#include "cli/verify_each.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/toolkit.h"
#endif

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

namespace tilescope {

namespace {

enum class Emit { Cuda, Ptx, Cubin };

#ifdef TILESCOPE_HAS_CUDA
llvm::Expected<std::string> assemble(const CompileResult &result, Emit emit,
                                     const std::string &cudaPath) {
  DeviceCompileRequest request;
  request.source = result.cuda->text;
  request.foreign = result.cuda->foreign;
  request.name = "kernel.cu";
  request.architecture = result.target->name.str();
  request.kind = emit == Emit::Ptx ? BinaryKind::Ptx : BinaryKind::Cubin;
  request.fastMath = result.module->fastMath;
  request.cudaPath = cudaPath;
  llvm::Expected<DeviceBinary> binary = compileForDevice(request);
  if (!binary)
    return binary.takeError();
  std::string bytes(binary->bytes.begin(), binary->bytes.end());
  if (emit == Emit::Ptx)
    bytes.resize(bytes.find('\0'));
  return bytes;
}
#else
llvm::Expected<std::string> assemble(const CompileResult &, Emit, const std::string &) {
  return llvm::createStringError(
      "this tilescope was built without the CUDA headers: it prints CUDA, but no PTX and no cubin");
}
#endif

llvm::Expected<std::string> textOf(const CompileResult &result, Emit emit,
                                   const std::string &cudaPath) {
  if (emit == Emit::Cuda)
    return result.cuda->text;
  return assemble(result, emit, cudaPath);
}

std::string compileOverview(const CommandLine &commandLine) {
  return "Compiles a TileLang kernel, or IR text, to one self-contained CUDA file. Of several "
         "kernels, of\n"
         "lists @LIST and of kernel files among them that list instances, each becomes a file in "
         "the folder\n"
         "-o: the kernel file's name, with the function and a number where that is not "
         "enough.\n\n" +
         passHelpFor(commandLine) + PatchHelp +
         "\n  tilescope compile gemm.py:matmul --set M=1024 --set dtype=float16 --target sm_80 -o "
         "gemm.cu\n"
         "  tilescope compile gemm.py:matmul attention.py --target sm_90a -o cuda/\n"
         "  tilescope compile attention.py --plan-for occupancy --previous old.trace -o "
         "attention.cu\n"
         "  tilescope compile attention.py --patch moved.patch -o attention.cu\n"
         "  tilescope compile attention.py --pass-option inject-pipeline.peel-epilogue=true\n"
         "  tilescope compile attention.py -print-changed=diff -time-passes -stats -o /dev/null\n"
         "  tilescope compile attention.py --stop-before merge-shared-memory -o lowered.ir\n"
         "  tilescope compile attention.py -Werror -Wno-layout-ignored -o attention.cu   # "
         "warnings "
         "count\n";
}

llvm::StringRef extensionOf(Emit emit) {
  return emit == Emit::Cuda ? ".cu" : emit == Emit::Ptx ? ".ptx" : ".cubin";
}

// Names of files in a folder: "gemm", "gemm-matmul" where the file has several, "gemm-matmul-2".
std::vector<std::string> stemsOf(const std::vector<ListedInstance> &instances) {
  std::map<std::string, size_t> ofFile, used;
  auto stemOf = [](const ListedInstance &instance) {
    return llvm::sys::path::stem(instance.path).str();
  };
  for (const ListedInstance &instance : instances)
    ++ofFile[stemOf(instance)];
  std::vector<std::string> stems;
  for (const ListedInstance &instance : instances) {
    std::string stem = stemOf(instance);
    if (ofFile[stem] > 1 && !instance.function.empty())
      stem += "-" + instance.function;
    size_t count = ++used[stem];
    stems.push_back(stem + (count > 1 ? "-" + std::to_string(count) : ""));
  }
  return stems;
}

class CompileOptions {
public:
  explicit CompileOptions(llvm::cl::OptionCategory &category)
      : kernel_(category),
        more_(llvm::cl::Positional, llvm::cl::desc("[KERNELS...]"), llvm::cl::cat(category)),
        output_("o",
                llvm::cl::desc("Output file, of several kernels a folder (default: standard "
                               "output)"),
                llvm::cl::value_desc("FILE"), llvm::cl::init("-"), llvm::cl::cat(category)),
        passes_(category),
        trace_("trace", llvm::cl::desc("Record every pass into this file, or folder"),
               llvm::cl::value_desc("FILE"), llvm::cl::cat(category)),
        allowHazards_("allow-hazards", llvm::cl::desc("Compile although barriers are missing"),
                      llvm::cl::cat(category)),
        noAliases_("no-aliases", llvm::cl::desc("Cast the arena instead of naming each buffer"),
                   llvm::cl::cat(category)),
        emit_("emit", llvm::cl::desc("What to write"), llvm::cl::init(Emit::Cuda),
              llvm::cl::values(
                  clEnumValN(Emit::Cuda, "cuda", "CUDA C++ (default)"),
                  clEnumValN(Emit::Ptx, "ptx", "PTX, through NVRTC or nvcc"),
                  clEnumValN(Emit::Cubin, "cubin", "machine code, through NVRTC or nvcc")),
              llvm::cl::cat(category)),
        patches_(category), cudaPath_("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category)),
        verifyEach_(category), reports_(category), severity_(category) {}

  int run() {
    llvm::Expected<FindingSeverities> severities = severity_.given(/*isStrict=*/false);
    if (!severities)
      return report(severities.takeError());
    severities_ = std::move(*severities);
#ifdef TILESCOPE_HAS_CUDA
    if (llvm::Error error = checkCudaPath(cudaPath_))
      return report(std::move(error));
#endif
    if (llvm::Error error = verifyEach_.check())
      return report(std::move(error));
    if (!more_.empty() || listOf(kernel_.kernel()))
      return compileSeveral();
    llvm::Expected<CompileRequest> request = kernel_.request();
    if (!request)
      return report(request.takeError());
    return compileOne(std::move(*request), output_, trace_);
  }

private:
  int compileOne(CompileRequest request, const std::string &output,
                 const std::string &trace) const {
    if (llvm::Error error = passes_.addTo(request))
      return report(std::move(error));
    request.allowHazards = allowHazards_;
    request.aliases = !noAliases_;
    NamedFile written[] = {{"-o", output}, {"--trace", trace}};
    if (llvm::Error error = checkOutputs(written, {{"kernel", request.path}}))
      return report(std::move(error));
    if (llvm::Error error = patches_.addTo(request, written))
      return report(std::move(error));
    if (reports_.stops()) {
      llvm::Expected<std::string> text = reports_.stoppedText(request);
      return report(text ? writeFile(output, *text) : text.takeError());
    }
    std::unique_ptr<TraceWriter> writer;
    if (!trace.empty())
      if (llvm::Error error = TraceWriter::open(trace).moveInto(writer))
        return report(std::move(error));
    TraceRecorder recorder(writer.get());
    bool isRecorded = writer || reports_.needsTrace() || severities_.countGaps();
    Stages stages;
    PassMeter meter;
    PassObserver *observers[] = {&stages, &meter};
    CompileResult result = compile(request, {isRecorded ? &recorder : nullptr, observers});
    std::vector<Diagnostic> said = severities_.applied(result.diagnostics);
    printDiagnostics(result, said);
    int printed = reports_.print(recorder.trace(), meter);
    bool hasError =
        llvm::any_of(said, [](const Diagnostic &one) { return one.severity == Severity::Error; });
    if (hasError || printed != Fine || reportGaps(recorder.trace()))
      return Trouble;
    if (int exitCode = verifyEach_.verify(result, stages); exitCode != Fine)
      return exitCode;
    llvm::Expected<std::string> text = textOf(result, emit_, cudaPath_);
    return report(text ? writeFile(output, *text) : text.takeError());
  }

  // Whether a question that counts is not established.
  bool reportGaps(const Trace &trace) const {
    bool hasCounted = false;
    if (!severities_.countGaps())
      return hasCounted;
    for (const FindingGap &gap : judgedFindings(trace, /*wasRun=*/false).notEstablished) {
      if (!severities_.counts(gap))
        continue;
      hasCounted = true;
      report(llvm::createStringError("not established: " + gap.question +
                                     lineText(", line ", gap.place.line) + ": " + gap.why +
                                     " [-Werror=" + questionName(gap.question) + "]"));
    }
    return hasCounted;
  }

  int compileSeveral() const {
    if (patches_.isGiven())
      return report(llvm::createStringError("--patch is for one kernel that is compiled"));
    std::vector<std::string> inputs{kernel_.kernel()};
    inputs.insert(inputs.end(), more_.begin(), more_.end());
    llvm::Expected<ListedInstances> listed = severalOf(inputs, kernel_);
    if (!listed)
      return report(listed.takeError());
    for (const ListedInstance &instance : listed->instances)
      if (!instance.trace.empty())
        return report(llvm::createStringError("'" + instance.trace +
                                              "' is a trace: there is nothing to compile"));
    if (output_ == "-")
      return report(llvm::createStringError("several kernels want a folder: -o FOLDER"));
    for (const std::string &folder : {output_.getValue(), trace_.getValue()})
      if (std::error_code code =
              folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder))
        return report(
            llvm::createStringError("cannot make the folder '" + folder + "': " + code.message()));
    return std::max(reportUnread(listed->unread), compileEach(listed->instances));
  }

  // Those that do not compile are no reason to leave the others out.
  int compileEach(const std::vector<ListedInstance> &instances) const {
    int exitCode = Fine;
    std::vector<std::string> stems = stemsOf(instances);
    for (size_t i = 0; i != instances.size(); ++i) {
      auto fileIn = [&](const std::string &folder, llvm::StringRef extension) {
        return folder.empty() ? "" : folder + "/" + stems[i] + extension.str();
      };
      llvm::Expected<CompileRequest> request = requestOf(instances[i], kernel_);
      int one = request ? compileOne(std::move(*request), fileIn(output_, extensionOf(emit_)),
                                     fileIn(trace_, ".trace"))
                        : report(request.takeError());
      exitCode = std::max(exitCode, one);
    }
    return exitCode;
  }

  KernelOptions kernel_;
  llvm::cl::list<std::string> more_;
  llvm::cl::opt<std::string> output_;
  PassesOption passes_;
  llvm::cl::opt<std::string> trace_;
  llvm::cl::opt<bool> allowHazards_;
  llvm::cl::opt<bool> noAliases_;
  ChoiceOption<Emit> emit_;
  PatchOption patches_;
  llvm::cl::opt<std::string> cudaPath_;
  VerifyEachOption verifyEach_;
  PassReportOptions reports_;
  SeverityOption severity_;
  FindingSeverities severities_;
};

} // namespace

int runCompile(const CommandLine &given) {
  if (SeverityOption::asksForNames(given)) {
    SeverityOption::printNames(llvm::outs());
    return Fine;
  }
  CommandLine commandLine = given;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope compile");
  CompileOptions options(category);
  if (std::optional<int> exitCode =
          parseCommandLine(commandLine, category, compileOverview(commandLine)))
    return *exitCode;
  return options.run();
}

} // namespace tilescope
