// compile: a kernel to CUDA, headless.
#include "cli/command.h"
#ifdef TILESCOPE_HAS_CUDA
#include "core/cuda/toolkit.h"
#endif

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

// `trace` may be "".
llvm::Expected<CompileResult> compileTo(const std::string &trace, const CompileRequest &request) {
  if (trace.empty())
    return compile(request);
  llvm::Expected<std::unique_ptr<TraceWriter>> writer = TraceWriter::open(trace);
  if (!writer)
    return writer.takeError();
  TraceRecorder recorder(writer->get());
  return compile(request, Observers{&recorder, {}});
}

std::string compileOverview(const CommandLine &commandLine) {
  return "Compiles a TileLang kernel, or IR text, to one self-contained CUDA file.\n\n" +
         passHelpFor(commandLine) + PatchHelp +
         "\n  tilescope compile gemm.py:matmul --set M=1024 --set dtype=float16 --target sm_80 -o "
         "gemm.cu\n"
         "  tilescope compile attention.py --plan-for occupancy --previous old.trace -o "
         "attention.cu\n"
         "  tilescope compile attention.py --patch moved.patch -o attention.cu\n"
         "  tilescope compile attention.py --pass-option inject-pipeline.peel-epilogue=true\n";
}

} // namespace

int runCompile(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope compile");
  KernelOptions kernel(category);
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("FILE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  PassesOption passes(category);
  llvm::cl::opt<std::string> trace("trace", llvm::cl::desc("Record every pass into this file"),
                                   llvm::cl::value_desc("FILE"), llvm::cl::cat(category));
  llvm::cl::opt<bool> allowHazards("allow-hazards",
                                   llvm::cl::desc("Compile although barriers are missing"),
                                   llvm::cl::cat(category));
  llvm::cl::opt<bool> noAliases("no-aliases",
                                llvm::cl::desc("Cast the arena instead of naming each buffer"),
                                llvm::cl::cat(category));
  ChoiceOption<Emit> emit(
      "emit", llvm::cl::desc("What to write"), llvm::cl::init(Emit::Cuda),
      llvm::cl::values(clEnumValN(Emit::Cuda, "cuda", "CUDA C++ (default)"),
                       clEnumValN(Emit::Ptx, "ptx", "PTX, through NVRTC or nvcc"),
                       clEnumValN(Emit::Cubin, "cubin", "machine code, through NVRTC or nvcc")),
      llvm::cl::cat(category));
  PatchOption patches(category);
  llvm::cl::opt<std::string> cudaPath("cuda-path", llvm::cl::desc("Folder of the CUDA Toolkit"),
                                      llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category));
  if (std::optional<int> exitCode =
          parseCommandLine(commandLine, category, compileOverview(commandLine)))
    return *exitCode;

#ifdef TILESCOPE_HAS_CUDA
  if (llvm::Error error = checkCudaPath(cudaPath))
    return report(std::move(error));
#endif
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return report(request.takeError());
  if (llvm::Error error = passes.addTo(*request))
    return report(std::move(error));
  request->allowHazards = allowHazards;
  request->aliases = !noAliases;
  NamedFile written[] = {{"-o", output}, {"--trace", trace}};
  if (llvm::Error error = checkOutputs(written, {{"kernel", request->path}}))
    return report(std::move(error));
  if (llvm::Error error = patches.addTo(*request, written))
    return report(std::move(error));
  llvm::Expected<CompileResult> result = compileTo(trace, *request);
  if (!result)
    return report(result.takeError());
  printDiagnostics(*result);
  if (!result->succeeded())
    return Trouble;
  llvm::Expected<std::string> text = textOf(*result, emit, cudaPath);
  if (!text)
    return report(text.takeError());
  if (llvm::Error error = writeFile(output, *text))
    return report(std::move(error));
  return Fine;
}

} // namespace tilescope
