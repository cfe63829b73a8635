// Run alone: unit_tests --gtest_filter='OptionSettings.*:NamedPasses.*'
#include "core/driver/compile.h"
#include "core/driver/option_settings.h"
#include "core/pass/pass_options.h"
#include "passes/registry.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

std::vector<PassInstance> parse(llvm::StringRef text) {
  return llvm::cantFail(parsePassPipeline(text, allPasses()));
}

std::string applied(llvm::StringRef text, const std::string &name, const std::string &value) {
  std::vector<PassInstance> pipeline = parse(text);
  if (llvm::Error error = applyPassOptions(pipeline, {{name, value}}))
    return llvm::toString(std::move(error));
  return printPassPipeline(pipeline);
}

TEST(OptionSettings, AreSetOverThoseOfThePipeline) {
  EXPECT_EQ(applied("simplify,inject-pipeline", "inject-pipeline.peel-epilogue", "true"),
            "simplify,inject-pipeline{peel-epilogue=true}");
  EXPECT_EQ(
      applied("inject-pipeline{peel-epilogue=true}", "inject-pipeline.peel-epilogue", "false"),
      "inject-pipeline{peel-epilogue=false}");
  EXPECT_EQ(
      applied("tidy(inject-pipeline),inject-pipeline", "inject-pipeline#2.peel-epilogue", "true"),
      "tidy(inject-pipeline),inject-pipeline{peel-epilogue=true}");
  EXPECT_EQ(applied("tidy(inject-pipeline),simplify", "inject-pipeline.peel-epilogue", "true"),
            "tidy(inject-pipeline{peel-epilogue=true}),simplify");
}

TEST(OptionSettings, ErrorsListTheChoices) {
  EXPECT_EQ(applied("simplify,tidy(inject-pipeline)", "vectorize.width", "4"),
            "no pass 'vectorize' runs here to set 'vectorize.width' of; there are: simplify, "
            "inject-pipeline");
  EXPECT_EQ(applied("inject-pipeline", "inject-pipeline.unroll", "4"),
            "pass 'inject-pipeline' has no option 'unroll'; it has: peel-epilogue, tma, roles, "
            "counters, blocks, tile-slots");
  EXPECT_EQ(applied("inject-pipeline", "inject-pipeline.peel-epilogue", "maybe"),
            "option 'peel-epilogue' of pass 'inject-pipeline' does not take the value 'maybe'");
  EXPECT_EQ(applied("simplify", "simplify", "1"), "pass 'simplify' has no option ''; it has: none");
}

TEST(OptionSettings, AreListedWithTypesAndDefaults) {
  std::vector<PassInstance> pipeline =
      parse("inject-pipeline{peel-epilogue=true},merge-shared-memory{search-nodes=5}");
  std::string text;
  for (const TraceParameter &option : passOptionsOf(pipeline))
    text += option.name + " " + option.type + " " + option.value + " " + option.defaultValue + " " +
            std::to_string(option.choices.size()) + "\n";
  EXPECT_EQ(text, "inject-pipeline.peel-epilogue bool true false 2\n"
                  "inject-pipeline.tma bool false false 2\n"
                  "inject-pipeline.roles bool true true 2\n"
                  "inject-pipeline.counters bool true true 2\n"
                  "inject-pipeline.blocks int 0 0 0\n"
                  "inject-pipeline.tile-slots int 0 0 0\n"
                  "merge-shared-memory.search-nodes int 5 100000 0\n");
}

TEST(OptionSettings, OfACompileAreInItsTrace) {
  CompileRequest request;
  request.text = "# tilescope-ir 1\n";
  request.passes = "inject-pipeline";
  request.emitCuda = false;
  request.passOptions = {{"inject-pipeline.peel-epilogue", "true"}};
  TraceRecorder recorder;
  compile(request, {&recorder, {}});
  const TraceHeader &header = recorder.trace().header;
  EXPECT_EQ(header.pipeline, "inject-pipeline{peel-epilogue=true}");
  ASSERT_EQ(header.passOptions.size(), 6U);
  EXPECT_EQ(header.passOptions[0].value, "true");
  request.passOptions = {{"inject-pipeline.none", "1"}};
  EXPECT_EQ(compile(request).diagnostics.all().front().text,
            "pass 'inject-pipeline' has no option 'none'; it has: peel-epilogue, tma, roles, "
            "counters, blocks, tile-slots");
}

TEST(NamedPasses, StandInTheOrderInWhichPassesEnd) {
  std::string text;
  for (const NamedPass &name : namesInPipeline("a{x=1,y=2},g(b,h(c{z=3}),d),e"))
    text += std::to_string(name.depth) + name.name + " ";
  EXPECT_EQ(text, "0a 1b 2c 1h 1d 0g 0e ");
  EXPECT_TRUE(namesInPipeline("").empty());
}

} // namespace
} // namespace tilescope
