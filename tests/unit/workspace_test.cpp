// What is open, and what is asked of a live kernel, without a window.
// Run alone: unit_tests --gtest_filter='WorkspaceTest.*'
#include "core/session/workspace.h"
#include "tests/source_folder.h"
#include "viewer/shell/message_band.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

CompileRequest attention() {
  CompileRequest request;
  request.path = inSourceFolder("testdata/kernels/attention_fwd.py");
  auto buffer = llvm::MemoryBuffer::getFile(request.path);
  EXPECT_TRUE(buffer);
  request.text = (*buffer)->getBuffer().str();
  request.function = "attention";
  request.arguments = {{"heads", "32"}, {"length", "4096"}, {"num_stages", "2"}};
  return request;
}

class WorkspaceTest : public testing::Test {
protected:
  WorkspaceTest() {
    workspace.openKernel(attention());
    workspace.waitForCompile();
  }

  const Document &document() const { return workspace.document(); }
  const Trace &trace() const { return *document().trace; }

  // The first of that name.
  size_t passNamed(const std::string &name) const {
    auto found =
        llvm::find_if(trace().passes, [&](const TracePass &pass) { return pass.name == name; });
    EXPECT_NE(found, trace().passes.end()) << name;
    return static_cast<size_t>(found - trace().passes.begin());
  }

  int64_t peak() const {
    return trace().snapshots[trace().passes.back().snapshot].arenas->front().plan.heightBytes;
  }

  // After the last pass.
  const BufferRecord &bufferNamed(const std::string &name) const {
    const auto &buffers = *trace().snapshots[trace().passes.back().snapshot].buffers;
    auto found =
        llvm::find_if(buffers, [&](const BufferRecord &buffer) { return buffer.name == name; });
    EXPECT_NE(found, buffers.end()) << name;
    return *found;
  }

  std::string textAfter(const std::string &pass) {
    std::optional<EditableText> editable = workspace.editableText(passNamed(pass));
    EXPECT_TRUE(editable) << document().message;
    return editable ? editable->text : "";
  }

  // Above all others, so that it collides with nothing.
  void moveAside(const std::string &name) {
    workspace.setOffset(bufferNamed(name).id, peak());
    workspace.waitForCompile();
  }

  Workspace workspace{[] {}};
};

TEST_F(WorkspaceTest, AnArgumentMovesThePeak) {
  int64_t before = peak();
  workspace.setArgument("num_stages", "3");
  workspace.waitForCompile();
  EXPECT_GT(peak(), before);
  EXPECT_EQ(document().requested.arguments.back(),
            std::pair(std::string("num_stages"), std::string("3")));
}

TEST_F(WorkspaceTest, OptionsOfPassesAndTheGoalOfThePlanAreCompiledAgain) {
  workspace.setPassOption("plan-pipeline.overlap-products", "true");
  workspace.setPlanFor("occupancy");
  workspace.waitForCompile();
  EXPECT_EQ(document().message, "");
  EXPECT_EQ(trace().header.passOptions.front().value, "true");
  EXPECT_EQ(trace().header.planFor, "occupancy");
  EXPECT_EQ(document().requested.passOptions.size(), 1U);
  EXPECT_EQ(document().requested.planFor, "occupancy");
  workspace.setPassOption("plan-pipeline.overlap-products", "false");
  workspace.setPassOption("inject-pipeline.unroll", "4");
  workspace.waitForCompile();
  EXPECT_NE(document().message.find("pass 'inject-pipeline' has no option 'unroll'"),
            std::string::npos)
      << document().message;
  EXPECT_EQ(trace().header.passOptions.front().value, "true"); // that of the last good compile
}

TEST_F(WorkspaceTest, EveryOptionOfAPassSaysWhatItDoes) {
  ASSERT_FALSE(trace().header.passOptions.empty());
  for (const TraceParameter &option : trace().header.passOptions)
    EXPECT_FALSE(document().optionHelp.at(option.name).empty()) << option.name;
  EXPECT_NE(document().optionHelp.at("inject-pipeline.roles").find("warp group"),
            std::string::npos);
}

TEST_F(WorkspaceTest, StopsBeforeAPassAndGoesOnWithAnEdit) {
  std::string untouched = trace().cuda;
  workspace.breakBefore(passNamed("merge-shared-memory") + 1);
  workspace.waitForCompile();
  EXPECT_EQ(trace().passes.back().name, "merge-shared-memory");
  EXPECT_EQ(document().stoppedBefore, "insert-barriers");
  EXPECT_EQ(stopText(document()), "stopped before insert-barriers: e edits, x runs the rest");
  EXPECT_EQ(trace().cuda, "");
  int64_t height = peak();
  moveAside("O_shared");
  EXPECT_EQ(document().message, "");
  EXPECT_EQ(trace().passes.back().name, "patch");
  EXPECT_EQ(bufferNamed("O_shared").offsetBytes, height);
  EXPECT_EQ(document().stoppedBefore, "insert-barriers");
  workspace.breakBefore(std::nullopt);
  workspace.waitForCompile();
  EXPECT_EQ(document().stoppedBefore, "");
  EXPECT_EQ(bufferNamed("O_shared").offsetBytes, height);
  EXPECT_NE(trace().cuda, "");
  EXPECT_NE(trace().cuda, untouched);
  EXPECT_EQ(editsText(document().edits), "1 edit");
  workspace.dropEdits();
  workspace.waitForCompile();
  EXPECT_EQ(trace().cuda, untouched);
  EXPECT_EQ(document().edits.state, EditState::Synced);
}

TEST_F(WorkspaceTest, StopsBeforeAPassThatDidNotRun) {
  workspace.breakBefore(passNamed("vectorize"));
  workspace.waitForCompile();
  EXPECT_EQ(document().stoppedBefore, "vectorize");
  // Of the second insert-barriers: split-host-device, insert-barriers and merge-shared-memory
  // stand before it.
  workspace.breakBefore(trace().passes.size() + 4);
  workspace.waitForCompile();
  EXPECT_EQ(trace().passes.back().name, "merge-shared-memory");
  workspace.breakBefore(0);
  EXPECT_NE(document().message.find("nothing runs before"), std::string::npos);
}

TEST_F(WorkspaceTest, AnOverlapIsRefusedAndTheEditIsKept) {
  const BufferRecord &other = bufferNamed("K_shared");
  std::string wanted = "offset=" + std::to_string(*bufferNamed("V_shared").offsetBytes);
  std::string before = textAfter("merge-shared-memory");
  workspace.setOffset(other.id, *bufferNamed("V_shared").offsetBytes);
  workspace.waitForCompile();
  EXPECT_EQ(document().edits.state, EditState::Conflict);
  EXPECT_EQ(document().edits.refused, "merge-shared-memory");
  EXPECT_EQ(editsText(document().edits), "1 edit, one refused");
  EXPECT_EQ(conflictText(document()), "the edit after merge-shared-memory is refused");
  EXPECT_NE(document().message.find("K_shared"), std::string::npos) << document().message;
  EXPECT_NE(document().message.find("V_shared"), std::string::npos) << document().message;
  std::string edited = textAfter("patch");
  EXPECT_NE(edited, before);
  EXPECT_NE(llvm::StringRef(edited).count(wanted), llvm::StringRef(before).count(wanted));
  // Back to what it was: that is no edit.
  workspace.editIr(trace().passes.size() - 1, before);
  workspace.waitForCompile();
  EXPECT_EQ(document().edits.state, EditState::Synced);
  EXPECT_EQ(document().message, "");
}

TEST_F(WorkspaceTest, SyntaxErrorsAreShownAndTheTextIsKept) {
  std::string text = textAfter("simplify");
  text.replace(text.find("T.copy("), 7, "T.cope(");
  workspace.editIr(passNamed("simplify"), text);
  workspace.waitForCompile();
  EXPECT_EQ(document().edits.state, EditState::Conflict);
  EXPECT_NE(document().message.find("'T.cope' means nothing here"), std::string::npos);
  EXPECT_EQ(textAfter("patch"), text);
}

TEST_F(WorkspaceTest, ATraceOfAnEarlierCompileIsStale) {
  EXPECT_FALSE(document().isStale);
  uint64_t revision = document().revision;
  workspace.setArgument("block_M", "'none'");
  workspace.waitForCompile();
  EXPECT_TRUE(document().isStale) << document().message;
  EXPECT_EQ(document().revision, revision);
  workspace.setArgument("block_M", "64");
  workspace.waitForCompile();
  EXPECT_FALSE(document().isStale);
}

TEST_F(WorkspaceTest, AnEditThatDoesNotFitAnotherArgumentIsAConflict) {
  moveAside("O_shared");
  ASSERT_EQ(document().edits.state, EditState::Patched) << document().message;
  workspace.setArgument("num_stages", "3");
  workspace.setArgument("block_N", "32");
  workspace.waitForCompile();
  EXPECT_EQ(document().edits.state, EditState::Conflict);
  EXPECT_NE(document().message.find("patch does not fit the text after 'merge-shared-memory'"),
            std::string::npos)
      << document().message;
  std::optional<EditableText> editable = workspace.editableText(trace().passes.size() - 1);
  ASSERT_TRUE(editable);
  EXPECT_EQ(editable->misfit, workspace.patchText());
  workspace.dropEdits();
  workspace.waitForCompile();
  EXPECT_EQ(document().message, "");
}

TEST_F(WorkspaceTest, TheSavedPatchGivesTheSameCuda) {
  moveAside("O_shared");
  std::string text = textAfter("simplify");
  constexpr llvm::StringLiteral Fill = "T.fill(total[0:64], 0.0)";
  text.replace(text.find(Fill), Fill.size(), "T.fill(total[0:64], 1.0)");
  workspace.editIr(passNamed("simplify"), text);
  workspace.waitForCompile();
  EXPECT_EQ(document().edits.places, (std::vector<std::string>{"merge-shared-memory", "simplify"}));
  EXPECT_EQ(document().message, "");
  CompileRequest request = attention();
  request.patches = {{"saved.patch", workspace.patchText()}};
  CompileResult result = compile(request);
  ASSERT_TRUE(result.cuda);
  EXPECT_EQ(result.cuda->text, trace().cuda);
}

TEST_F(WorkspaceTest, WhatIsKeptIsComparedWithLaterCompiles) {
  workspace.keepToCompare();
  ASSERT_EQ(document().other, document().trace);
  int64_t before = peak();
  workspace.setArgument("num_stages", "3");
  workspace.waitForCompile();
  ASSERT_NE(document().other, document().trace);
  EXPECT_NE(peak(), before);
  const TraceSnapshot &kept = document().other->snapshots[document().other->passes.back().snapshot];
  EXPECT_EQ(kept.arenas->front().plan.heightBytes, before);
  workspace.closeOther();
  EXPECT_EQ(document().other, nullptr);
}

TEST_F(WorkspaceTest, AKernelThatDoesNotCompileOpensWithWhatIsWrong) {
  workspace.keepToCompare();
  CompileRequest broken = attention();
  broken.text = "def attention(:\n";
  workspace.openKernel(broken);
  workspace.waitForCompile();
  EXPECT_TRUE(workspace.isStandIn());
  EXPECT_TRUE(workspace.takeOpened());
  EXPECT_FALSE(workspace.takeOpened());
  EXPECT_EQ(document().other, nullptr); // what was compared is not this kernel
  ASSERT_EQ(trace().passes.size(), 1U);
  EXPECT_EQ(trace().passes.front().status, PassStatus::Failed);
  EXPECT_EQ(trace().header.fileText, broken.text);
  ASSERT_EQ(trace().diagnostics.size(), 1U);
  EXPECT_EQ(trace().diagnostics.front().span.line, 1U);
  workspace.loadShown();
  EXPECT_FALSE(workspace.editableText(0));
  workspace.openKernel(attention());
  workspace.waitForCompile();
  EXPECT_FALSE(workspace.isStandIn());
  EXPECT_EQ(workspace.selection.pass, trace().passes.size() - 1);
}

TEST_F(WorkspaceTest, WhatAKernelWasStaysWhileAChangeOfItDoesNotCompile) {
  size_t passes = trace().passes.size();
  workspace.setArgument("block_M", "'wide'");
  workspace.waitForCompile();
  EXPECT_NE(document().message.find("error: "), std::string::npos) << document().message;
  EXPECT_EQ(trace().passes.size(), passes);
  EXPECT_FALSE(workspace.isStandIn());
}

} // namespace
} // namespace tilescope
