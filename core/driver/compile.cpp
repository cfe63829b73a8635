#include "core/driver/compile.h"

#include "core/analysis/shared_bytes.h"
#include "core/check/verify_memory.h"
#include "core/driver/option_settings.h"
#include "core/driver/parameter_choices.h"
#include "core/driver/patched_pipeline.h"
#include "core/driver/verify_alignment.h"
#include "core/driver/verify_launches.h"
#include "core/driver/verify_nests.h"
#include "core/driver/verify_reads.h"
#include "core/driver/verify_warps.h"
#include "core/frontend/frontend.h"
#include "core/ir/kernel_source.h"
#include "core/ir/reader.h"
#include "core/ir/text_form.h"
#include "core/ir/verifier.h"
#include "core/pass/pass_manager.h"
#include "core/pass/pass_options.h"
#include "core/plan/arena_problem.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace tilescope {

namespace {

// No file of Python is longer.
constexpr uint64_t MaxSourceBytes = 16 << 20;

// Neither a folder nor a device, which may never end.
std::optional<std::string> readFromDisk(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  bool isSource = !llvm::sys::fs::status(path, status) &&
                  status.type() == llvm::sys::fs::file_type::regular_file &&
                  status.getSize() <= MaxSourceBytes;
  if (!isSource)
    return std::nullopt;
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
}

class Compile {
public:
  Compile(const CompileRequest &request, const Observers &observers, CompileResult &result)
      : request_(request), recorder_(observers.recorder),
        observers_(observers.passes.begin(), observers.passes.end()), result_(result) {
    if (recorder_)
      observers_.push_back(recorder_);
  }

  void run() {
    bool isReady = findTarget() && parsePipeline() && readInput() && patchPasses();
    startRecording(); // also of what cannot be compiled: its text and what is wrong with it
    if (isReady && runPasses() && request_.emitCuda && request_.stopAfter.empty())
      emit();
    finishRecording();
  }

private:
  bool fail(llvm::Error error) {
    result_.diagnostics.report(DiagId::InvalidRequest, Span(), llvm::toString(std::move(error)));
    return false;
  }

  bool findTarget() {
    llvm::Expected<const Target *> target = tilescope::findTarget(request_.target);
    if (!target)
      return fail(target.takeError());
    result_.target = *target;
    return true;
  }

  bool parsePipeline() {
    pipelineText_ = request_.passes.value_or(defaultPipeline(*result_.target));
    llvm::Expected<std::vector<PassInstance>> pipeline =
        parsePassPipeline(pipelineText_, passesFor(request_));
    if (!pipeline)
      return fail(pipeline.takeError());
    pipeline_ = std::move(*pipeline);
    if (llvm::Error error = applyPassOptions(pipeline_, request_.passOptions))
      return fail(std::move(error));
    pipelineText_ = printPassPipeline(pipeline_);
    passOptions_ = passOptionsOf(pipeline_);
    return true;
  }

  bool readInput() {
    if (looksLikeIr(request_.text))
      readIr();
    else
      elaborateKernel(result_.files.add(request_.path, request_.text));
    result_.elaborated = result_.module;
    return result_.module && verifyModule(*result_.module, result_.diagnostics) &&
           (looksLikeIr(request_.text) || readsWhatIsWritten());
  }

  // The kernel is the first file, which is the one that records speak of. Where the text does not
  // hold the kernel that it was made from, that is a file without lines.
  void readIr() {
    if (std::optional<SourceFile> kernel = kernelSourceIn(request_.text)) {
      kernel_ = result_.files.add(std::move(kernel->path), std::move(kernel->text));
      result_.kernel = kernel_;
    }
    FileId file = result_.files.add(request_.path, request_.text);
    bool keepsPlaces = result_.kernel || request_.keepsTaggedPlaces || !request_.patches.empty();
    if (!result_.kernel && keepsPlaces && isTaggedIr(request_.text))
      kernel_ = result_.files.add("kernel of " + request_.path, "");
    result_.module = readModule(*result_.context, file, result_.files, result_.diagnostics, kernel_,
                                keepsPlaces ? TaggedPlaces::Kept : TaggedPlaces::Ignored);
  }

  // Of a kernel, not of a snapshot, which may be any part of one.
  bool readsWhatIsWritten() {
    bool isFine = true;
    for (const Function *function : result_.module->functions)
      isFine &= verifyWarps(*function, result_.diagnostics);
    for (const Function *function : result_.module->functions)
      isFine &= verifyReads(*result_.context, *function, result_.diagnostics);
    for (const Function *function : result_.module->functions)
      verifyLaunches(*result_.context, *function, result_.diagnostics);
    if (isFine)
      for (const Function *function : result_.module->functions) {
        verifyNests(*result_.context, *function, result_.diagnostics);
        verifyAlignment(*function, result_.diagnostics);
      }
    return isFine;
  }

  bool patchPasses() {
    PatchedInput input{request_.patches, request_.stopAfter, kernel_};
    return patchPipeline(pipeline_, input, result_.files, result_.diagnostics);
  }

  // Null after a report.
  std::optional<Target> askedDevice() {
    Target device = *result_.target;
    for (const auto &[name, value] : request_.device) {
      bool isCount = !llvm::StringRef(value).getAsInteger(10, device.multiprocessors);
      if (name != "sms" || !isCount || device.multiprocessors < 1) {
        fail(llvm::createStringError(llvm::formatv(
            "--device says how many multiprocessors the GPU has, 'sms=132', not '{0}={1}'", name,
            value)));
        return std::nullopt;
      }
    }
    return device;
  }

  void elaborateKernel(FileId file) {
    ElaborateRequest request;
    request.file = file;
    request.function = request_.function;
    request.arguments = request_.arguments;
    request.limits = request_.limits;
    request.imports = request_.imports;
    if (!request.imports.read)
      request.imports.read = readFromDisk;
    std::optional<Target> device = askedDevice();
    if (!device)
      return;
    request.device = &*device;
    request.stop = request_.stop;
    Elaborated elaborated =
        elaborate(*result_.context, request, result_.files, result_.diagnostics);
    result_.module = elaborated.module;
    result_.function = elaborated.function;
    ParameterChoices choices(request_.text, result_.function);
    for (ElaboratedParameter &parameter : elaborated.parameters)
      result_.parameters.push_back({parameter.name, parameter.type, parameter.value,
                                    parameter.defaultValue, choices.of(parameter)});
  }

  bool runPasses() {
    PassManagerOptions options{request_.allowHazards, request_.plan};
    const Module *lowered =
        runPipeline(*result_.module, pipeline_, *result_.context, *result_.target,
                    result_.diagnostics, observers_, options, request_.stop);
    if (lowered)
      result_.module = lowered;
    return lowered != nullptr;
  }

  // What the emitter takes for granted of each function.
  bool canBeEmitted(const Function &function) {
    using enum Property;
    std::string missing;
    for (Property property : {Pipelined, LayoutsInferred, Lowered, ArenaPlanned, BarriersFinal})
      if (!function.properties.has(property))
        missing += (missing.empty() ? "'" : ", '") + nameOf(property).str() + "'";
    bool isDevice = function.functionKind == FunctionKind::Device;
    if (missing.empty() && isDevice)
      return isSoundAsRead(function) && fitsTarget(function);
    if (!isDevice)
      missing += missing.empty() ? "'device'" : ", 'device'";
    result_.diagnostics.report(DiagId::NoCuda, function.span, function.name, missing);
    return false;
  }

  // merge-shared-memory refuses what does not fit; an offset by hand has not met it.
  bool fitsTarget(const Function &function) {
    int64_t capacity = result_.target->sharedBytesPerBlock - staticSharedBytes(function);
    for (const Buffer *buffer : function.buffers) {
      int64_t bytes = versionStrideBytes(*buffer).value_or(0) * buffer->versions;
      int64_t offset = buffer->offsetBytes.value_or(0);
      bool fits = !buffer->offsetBytes || (bytes <= capacity && offset <= capacity - bytes);
      if (fits)
        continue;
      uint64_t needed = static_cast<uint64_t>(offset) + bytes;
      result_.diagnostics.report(DiagId::SharedMemoryOverCapacity, buffer->span, function.name,
                                 needed, "dynamic", result_.target->name, capacity);
      return false;
    }
    return true;
  }

  // Each pass is checked after it; a plan that no pass has looked at is checked here.
  bool isSoundAsRead(const Function &function) {
    if (!pipeline_.empty())
      return true;
    HazardSeverity severity =
        request_.allowHazards ? HazardSeverity::Warning : HazardSeverity::Error;
    verifyArena(*result_.context, function, result_.diagnostics);
    verifyHazards(*result_.context, function, result_.diagnostics, severity);
    return !result_.diagnostics.hasErrors();
  }

  void emit() {
    if (request_.stop && *request_.stop) {
      result_.diagnostics.report(DiagId::CompileStopped, Span(), "emit-cuda");
      return;
    }
    if (!llvm::all_of(result_.module->functions,
                      [&](const Function *function) { return canBeEmitted(*function); }))
      return;
    result_.cuda =
        emitCuda(*result_.module, *result_.target, result_.files, CudaOptions{request_.aliases});
  }

  void startRecording() {
    if (!recorder_)
      return;
    TraceHeader header;
    header.toolVersion = ToolVersion;
    header.file = result_.kernel ? result_.files.get(*result_.kernel).path : request_.path;
    header.fileText = result_.kernel ? result_.files.get(*result_.kernel).text : request_.text;
    header.fileHash = llvm::utohexstr(llvm::xxh3_64bits(header.fileText), /*LowerCase=*/true);
    if (result_.kernel)
      header.irText = request_.text;
    header.function = result_.function;
    header.target = request_.target;
    header.pipeline = pipelineText_;
    header.capacityBytes = result_.target ? result_.target->sharedBytesPerBlock : 0;
    header.parameters = result_.parameters;
    header.passOptions = passOptions_;
    header.planFor = request_.plan.forOccupancy ? "occupancy" : "";
    header.previous = request_.previous;
    header.allowHazards = request_.allowHazards;
    header.noAliases = !request_.aliases;
    header.libraries = request_.libraries;
    for (const Patch &patch : request_.patches)
      header.patches.push_back(patch.file);
    header.stopAfter = request_.stopAfter;
    recorder_->start(std::move(header), result_.target, result_.diagnostics);
  }

  void finishRecording() {
    if (!recorder_)
      return;
    if (llvm::Error error = recorder_->finish(result_.cuda ? &*result_.cuda : nullptr))
      fail(std::move(error));
  }

  const CompileRequest &request_;
  TraceRecorder *recorder_;
  llvm::SmallVector<PassObserver *> observers_;
  CompileResult &result_;
  FileId kernel_{0}; // that tags of IR text speak of
  std::string pipelineText_;
  std::vector<PassInstance> pipeline_;
  std::vector<TraceParameter> passOptions_;
};

} // namespace

CompileResult compile(const CompileRequest &request, const Observers &observers) {
  CompileResult result;
  result.context = std::make_unique<Context>();
  Compile(request, observers, result).run();
  return result;
}

llvm::ArrayRef<PassInfo> passesFor(const CompileRequest &request) {
  return request.registry ? llvm::ArrayRef<PassInfo>(*request.registry) : allPasses();
}

std::string passHelp(const CompileRequest &request) {
  return "Passes, in the order of the default pipeline (it runs some twice), and their "
         "options:\n\n" +
         describePasses(passesFor(request));
}

} // namespace tilescope
