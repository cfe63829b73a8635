#include "core/driver/compile.h"

#include "core/ir/reader.h"
#include "core/ir/verifier.h"
#include "core/pass/pass_manager.h"
#include "core/pass/pass_options.h"
#include "passes/registry.h"

namespace tilescope {

namespace {

class Compile {
public:
  Compile(const CompileRequest &request, llvm::ArrayRef<PassObserver *> observers,
          CompileResult &result)
      : request_(request), observers_(observers), result_(result) {}

  void run() {
    if (!findTarget() || !parsePipeline() || !readInput() || !runPasses())
      return;
    if (request_.emitCuda)
      emit();
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
    std::string text = request_.passes.value_or(defaultPipeline(*result_.target));
    llvm::Expected<std::vector<PassInstance>> pipeline = parsePassPipeline(text, allPasses());
    if (!pipeline)
      return fail(pipeline.takeError());
    pipeline_ = std::move(*pipeline);
    return true;
  }

  bool readInput() {
    FileId file = result_.files.add(request_.path, request_.text);
    result_.module = readModule(*result_.context, file, result_.files, result_.diagnostics);
    return result_.module && verifyModule(*result_.module, result_.diagnostics);
  }

  bool runPasses() {
    PassManagerOptions options{request_.allowHazards};
    const Module *lowered =
        runPipeline(*result_.module, pipeline_, *result_.context, *result_.target,
                    result_.diagnostics, observers_, options, request_.stop);
    if (lowered)
      result_.module = lowered;
    return lowered != nullptr;
  }

  void emit() {
    result_.cuda =
        emitCuda(*result_.module, *result_.target, result_.files, CudaOptions{request_.aliases});
  }

  const CompileRequest &request_;
  llvm::ArrayRef<PassObserver *> observers_;
  CompileResult &result_;
  std::vector<PassInstance> pipeline_;
};

} // namespace

CompileResult compile(const CompileRequest &request, llvm::ArrayRef<PassObserver *> observers) {
  CompileResult result;
  result.context = std::make_unique<Context>();
  Compile(request, observers, result).run();
  return result;
}

} // namespace tilescope
