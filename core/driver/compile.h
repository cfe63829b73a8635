// One compile, in one place: CLI, viewer and tests call only this.
#pragma once

#include "core/codegen/cuda_emitter.h"
#include "core/driver/pass_library.h"
#include "core/driver/patch.h"
#include "core/frontend/frontend.h"
#include "core/ir/module.h"
#include "core/pass/pass_observer.h"
#include "core/support/diagnostics.h"
#include "core/support/version.h"
#include "core/trace_file/trace_recorder.h"

#include <memory>

namespace tilescope {

struct CompileRequest {
  std::string path;     // kernel file or IR text file, for messages
  std::string text;     // its content
  std::string function; // "" if the file has one
  std::vector<std::pair<std::string, std::string>> arguments; // --set NAME=VALUE, in order
  std::string target = "sm_80";
  // What a kernel file that asks for its GPU is told: --device sms=132; the rest is the target's.
  std::vector<std::pair<std::string, std::string>> device;
  std::shared_ptr<const PassRegistry> registry; // null: our passes alone
  std::vector<std::string> libraries;           // its files besides, for the trace
  std::optional<std::string> passes; // pass pipeline text; nullopt: the default of the target
  // PASS.OPTION and its value, over what the pipeline says; PASS is a place of patch.h.
  std::vector<std::pair<std::string, std::string>> passOptions;
  std::vector<Patch> patches; // edits between passes, in order
  // Of tagged IR text: statements stand where its tags say, in the kernel that it was made from, as
  // printing it again and patches need. Else where the text has them, which is what can be shown.
  bool keepsTaggedPlaces = false;
  std::string stopAfter; // a place of patch.h; ends the passes there, without CUDA
  bool emitCuda = true;  // false: stop after the passes (opt)
  bool allowHazards = false;
  bool aliases = true; // typed names for shared buffers
  PlanPreferences plan;
  std::string previous; // where plan.previousOffsets were read from, for the trace; "": nowhere
  EvalLimits limits;    // of the evaluation of a kernel file
  ImportSearch imports; // of the files that it imports; read from the disk where nothing reads them
  const StopToken *stop = nullptr;
};

// Owns everything that the compile made. `module` is null if elaboration failed, the last verified
// module if a pass failed.
struct CompileResult {
  std::unique_ptr<Context> context;
  SourceFiles files;
  Diagnostics diagnostics;
  const Target *target = nullptr;
  const Module *module = nullptr;
  const Module *elaborated = nullptr; // the kernel as written: what the passes started from
  std::optional<CudaSource> cuda;     // text, line map and launch records; only if all went well
  std::optional<FileId> kernel;       // that IR text was made from, where the text holds it
  std::string function;               // that was compiled
  std::vector<TraceParameter> parameters;

  bool succeeded() const { return !diagnostics.hasErrors(); }
};

struct Observers {
  TraceRecorder *recorder = nullptr; // started and finished by compile()
  llvm::ArrayRef<PassObserver *> passes;
};

// Nothing that is compiled depends on the observers. A recorder that cannot write makes the compile
// fail with a diagnostic, after everything else is done.
CompileResult compile(const CompileRequest &request, const Observers &observers = {});

// The passes that its pipeline may name.
llvm::ArrayRef<PassInfo> passesFor(const CompileRequest &request);

// Each of them and its options, for --help.
std::string passHelp(const CompileRequest &request);

} // namespace tilescope
