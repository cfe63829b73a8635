// The pass manager: order of observer calls, verification after each pass, stopping.
#include "core/pass/pass_manager.h"

#include "tests/unit/ir_text.h"

#include <gtest/gtest.h>

using namespace tilescope;

namespace {

constexpr const char *Empty = R"(# tilescope-ir 1
@T.prim_func(properties=["tile"])
def main(A: T.Tensor((8,), "float32")):
    with T.Kernel(1, threads=32) as (bx, tx):
        T.fill(A[0:8], 0.0)
)";

class KeepPass : public Pass {
public:
  const Module *run(const Module &module, PassContext & /*context*/) override { return &module; }
};

// Drops the declaration of every buffer, which the verifier must notice.
class BreakPass : public Pass {
public:
  const Module *run(const Module &module, PassContext &context) override {
    return forEachFunction(module, [&](const Function &function) {
      return withBuffers(context.context, function, {});
    });
  }
};

// A pass of others may do what none of ours does.
class SilentPass : public Pass {
public:
  const Module *run(const Module & /*module*/, PassContext & /*context*/) override {
    return nullptr;
  }
};

class RefusingPass : public Pass {
public:
  const Module *run(const Module & /*module*/, PassContext &context) override {
    context.diagnostics.report(DiagId::SaidByPass, Span(), "'main' has too many loops");
    return nullptr;
  }
};

template <typename P> std::unique_ptr<Pass> create() { return std::make_unique<P>(); }

const PassInfo Keep{"keep", PropertySet(), "", create<KeepPass>};
const PassInfo BreakIr{"break", PropertySet(), "", create<BreakPass>};
const PassInfo Silent{"silent", PropertySet(), "", create<SilentPass>};
const PassInfo Refusing{"refusing", PropertySet(), "", create<RefusingPass>};
const PassInfo NeedsLowered{"needs-lowered", Property::Lowered, "", create<KeepPass>};

class Recorder : public PassObserver {
public:
  explicit Recorder(std::string name, std::vector<std::string> &events)
      : name_(std::move(name)), events_(events) {}
  void beforePass(const PassExecution &execution, const Module & /*module*/) override {
    events_.push_back(name_ + " before " + execution.name.str());
  }
  void afterPass(const PassExecution &execution, const Module & /*module*/, bool changed) override {
    events_.push_back(name_ + " after " + execution.name.str() + (changed ? "" : ", unchanged"));
  }
  void passFailed(const PassExecution &execution, const Module & /*module*/,
                  const Diagnostics & /*diagnostics*/) override {
    events_.push_back(name_ + " failed " + execution.name.str());
  }

private:
  std::string name_;
  std::vector<std::string> &events_;
};

struct Outcome {
  bool succeeded = false;
  std::vector<std::string> events;
  std::vector<DiagId> diagnostics;
};

PassInstance instanceOf(const PassInfo &info) {
  return {&info, info.create(), "", info.name.str(), {}};
}

Outcome runPipelineOf(std::vector<PassInstance> pipeline, const StopToken *stop = nullptr) {
  Context context;
  Diagnostics diagnostics;
  Outcome outcome;
  Recorder first("a", outcome.events);
  Recorder second("b", outcome.events);
  PassObserver *observers[] = {&first, &second};
  outcome.succeeded =
      runPipeline(*parseIr(context, Empty), pipeline, context, *llvm::cantFail(findTarget("sm_80")),
                  diagnostics, observers, {}, stop) != nullptr;
  for (const Diagnostic &diagnostic : diagnostics.all())
    outcome.diagnostics.push_back(diagnostic.id);
  return outcome;
}

Outcome runPasses(llvm::ArrayRef<const PassInfo *> passes, const StopToken *stop = nullptr) {
  std::vector<PassInstance> pipeline;
  pipeline.reserve(passes.size());
  for (const PassInfo *info : passes)
    pipeline.push_back(instanceOf(*info));
  return runPipelineOf(std::move(pipeline), stop);
}

std::vector<PassInstance> groupOf(llvm::ArrayRef<const PassInfo *> passes) {
  PassInstance group;
  group.name = "group";
  for (const PassInfo *info : passes)
    group.nested.push_back(instanceOf(*info));
  std::vector<PassInstance> pipeline;
  pipeline.push_back(std::move(group));
  return pipeline;
}

} // namespace

TEST(PassManager, AGroupIsOneExecutionAroundThoseOfItsPasses) {
  Outcome outcome = runPipelineOf(groupOf({&Keep, &Keep}));
  EXPECT_TRUE(outcome.succeeded);
  std::vector<std::string> ofFirst;
  for (const std::string &event : outcome.events)
    if (event[0] == 'a')
      ofFirst.push_back(event);
  std::vector<std::string> expected{"a before group",          "a before keep",
                                    "a after keep, unchanged", "a before keep",
                                    "a after keep, unchanged", "a after group, unchanged"};
  EXPECT_EQ(ofFirst, expected);
}

TEST(PassManager, AGroupFailsWithItsPass) {
  Outcome outcome = runPipelineOf(groupOf({&BreakIr, &Keep}));
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_EQ(outcome.events[outcome.events.size() - 3], "a failed break");
  EXPECT_EQ(outcome.events.back(), "a failed group");
}

TEST(PassManager, LastObserverBeforeIsFirstAfter) {
  Outcome outcome = runPasses({&Keep});
  EXPECT_TRUE(outcome.succeeded);
  std::vector<std::string> expected{"a before keep", "b before keep", "b after keep, unchanged",
                                    "a after keep, unchanged"};
  EXPECT_EQ(outcome.events, expected);
}

TEST(PassManager, APassThatMakesNothingFailsThoughItReportsNothing) {
  Outcome outcome = runPasses({&Silent, &Keep});
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_EQ(outcome.events.back(), "a failed silent");
  EXPECT_EQ(outcome.diagnostics, std::vector<DiagId>{DiagId::PassGaveUp});
}

TEST(PassManager, APassSaysInWordsOfItsOwnWhatIsWrong) {
  Outcome outcome = runPasses({&Refusing});
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_EQ(outcome.diagnostics, std::vector<DiagId>{DiagId::SaidByPass});
}

TEST(PassManager, NamesThePassThatBrokeTheIr) {
  Outcome outcome = runPasses({&BreakIr, &Keep});
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_EQ(outcome.events.back(), "a failed break");
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_EQ(outcome.diagnostics.back(), DiagId::PassBrokeIr);
}

TEST(PassManager, RefusesAPassWhoseRequirementsDoNotHold) {
  Outcome outcome = runPasses({&NeedsLowered});
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_EQ(outcome.diagnostics, std::vector<DiagId>{DiagId::MissingProperty});
}

TEST(PassManager, StopsBetweenPasses) {
  StopToken stop = true;
  Outcome outcome = runPasses({&Keep}, &stop);
  EXPECT_FALSE(outcome.succeeded);
  EXPECT_TRUE(outcome.events.empty());
  EXPECT_EQ(outcome.diagnostics, std::vector<DiagId>{DiagId::CompileStopped});
}
