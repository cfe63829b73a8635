// The open kernel at the commits that changed its file, compiled on a thread.
// Run alone: unit_tests --gtest_filter='HistoryCompileTest.*'
#include "core/session/workspace.h"
#include "tests/source_folder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

constexpr int64_t StageBytes = 16384; // of a stage of the GEMM

// A repository with the GEMM, which is committed with these numbers of stages.
class HistoryCompileTest : public testing::Test {
protected:
  HistoryCompileTest() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("history", folder));
    auto buffer = llvm::MemoryBuffer::getFile(inSourceFolder("testdata/kernels/gemm_relu.py"));
    EXPECT_TRUE(buffer);
    text = (*buffer)->getBuffer().str();
    git("init -q");
  }
  ~HistoryCompileTest() override { EXPECT_FALSE(llvm::sys::fs::remove_directories(folder)); }

  void git(const std::string &words) const {
    std::string command =
        "cd " + folder.str().str() + " && git -c user.name=a -c user.email=a@example.com " + words;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }

  std::string path() const { return (folder + "/k.py").str(); }

  std::string withStages(int stages) const {
    std::string written = text;
    const std::string three = "num_stages: int = 3";
    written.replace(written.find(three), three.size(),
                    "num_stages: int = " + std::to_string(stages));
    return written;
  }

  void write(int stages) const {
    llvm::cantFail(llvm::writeToOutput(path(), [&](llvm::raw_ostream &out) {
      out << withStages(stages);
      return llvm::Error::success();
    }));
  }

  void commit(int stages) const {
    write(stages);
    git("add k.py");
    git("commit -qm stages-" + std::to_string(stages));
  }

  CompileRequest request(int stages) const {
    CompileRequest request;
    request.path = path();
    request.text = withStages(stages);
    request.arguments = {{"M", "256"}, {"N", "256"}, {"K", "256"}};
    return request;
  }

  llvm::SmallString<128> folder;
  std::string text;
};

std::vector<int64_t> stagesOf(const KernelHistory &history) {
  std::vector<int64_t> stages;
  for (const KernelCommit &commit : history.commits) {
    EXPECT_TRUE(commit.isCompiled && commit.bytes) << commit.title << ": " << commit.error;
    stages.push_back(commit.bytes ? commit.bytes->arenaBytes / StageBytes : 0);
  }
  return stages;
}

TEST_F(HistoryCompileTest, IsMadeForWhatIsOpenWhereAPanelWantsIt) {
  commit(5);
  commit(7);
  Workspace workspace([] {});
  workspace.openKernel(request(6));
  workspace.waitForCompile();
  workspace.loadShown();
  EXPECT_EQ(workspace.document().history, nullptr);
  auto loadHistory = [&] {
    workspace.loadShown({.showsHistory = true});
    workspace.waitForCompile();
    workspace.loadShown({.showsHistory = true});
  };
  loadHistory();
  ASSERT_NE(workspace.document().history, nullptr);
  EXPECT_EQ(stagesOf(*workspace.document().history), (std::vector<int64_t>{5, 7}));
  EXPECT_EQ(buildHistory(*workspace.document().trace, *workspace.document().history)
                .rows.back()
                .deltaBytes,
            -StageBytes);
  // A compile of what is open comes first, and a new one has a history of its own.
  workspace.setArgument("num_stages", "6");
  workspace.waitForCompile();
  loadHistory();
  EXPECT_EQ(stagesOf(*workspace.document().history), (std::vector<int64_t>{6, 6}));
  // A click compares with a commit, once that is compiled.
  std::string first = workspace.document().history->commits.front().hash;
  workspace.compareWith(first);
  EXPECT_EQ(workspace.document().other, nullptr);
  EXPECT_EQ(workspace.document().comparing, first);
  workspace.waitForCompile();
  EXPECT_NE(workspace.document().other, nullptr);
  EXPECT_EQ(workspace.document().comparing, "");
  // What it is compared with stays, and why there is nothing else to compare with is said.
  workspace.compareWith("no-such-revision");
  workspace.waitForCompile();
  EXPECT_EQ(workspace.otherPath(), first);
  EXPECT_NE(workspace.document().message.find("cannot read 'no-such-revision'"), std::string::npos);
  // Nothing to compare with is waited for any more.
  workspace.compareWith(workspace.document().history->commits.back().hash);
  workspace.closeOther();
  workspace.waitForCompile();
  EXPECT_EQ(workspace.document().other, nullptr);
}

TEST_F(HistoryCompileTest, OfManyCommitsTheLastAreCompiled) {
  for (size_t i = 0; i != MostCommits + 2; ++i)
    commit(i % 2 == 0 ? 6 : 8);
  HistoryCompile history([] {});
  history.start(request(2));
  while (history.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_NE(history.known(), nullptr);
  std::vector<int64_t> stages = stagesOf(*history.known());
  ASSERT_EQ(stages.size(), MostCommits);
  EXPECT_EQ(stages.back(), 8);
  // Asked again and stopped, it ends soon; what is known of the commits stays.
  history.start(request(8));
  history.stop();
  while (history.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  history.start(request(8));
  while (history.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(stagesOf(*history.known()), stages);
}

TEST_F(HistoryCompileTest, AFileThatNoCommitHasHasNone) {
  commit(1);
  git("rm -q --cached k.py");
  git("commit -qm gone");
  HistoryCompile history([] {});
  CompileRequest other = request(2);
  other.path = (folder + "/new.py").str();
  history.start(other);
  while (history.isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ASSERT_NE(history.known(), nullptr);
  EXPECT_EQ(history.known()->missing, "");
  EXPECT_TRUE(history.known()->commits.empty());
}

TEST_F(HistoryCompileTest, WithoutARepositoryThereIsNothingToPrint) {
  EXPECT_FALSE(llvm::sys::fs::remove_directories(folder + "/.git"));
  write(2);
  Workspace workspace([] {});
  workspace.openKernel(request(2));
  workspace.waitForCompile();
  workspace.loadShown({.showsHistory = true});
  workspace.waitForCompile();
  workspace.loadShown({.showsHistory = true});
  ASSERT_NE(workspace.document().history, nullptr);
  HistoryView view = buildHistory(*workspace.document().trace, *workspace.document().history);
  EXPECT_NE(view.missing, "");
  std::string text;
  llvm::raw_string_ostream out(text);
  print(view, out);
  EXPECT_EQ(text, "");
}

} // namespace
} // namespace tilescope
