// Run alone: unit_tests --gtest_filter='TraceFolder*:RecordedPairs*'
#include "core/trace_file/trace_folder.h"

#include "core/diff/kernel_pairing.h"
#include "core/session/instance_list.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace tilescope;

namespace {

class TraceFolderTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("trace-folder", folder_));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }

  void write(const std::string &name, const std::string &text) {
    std::ofstream(pathOf(name), std::ios::binary) << text;
  }
  // Of the given parameter and options.
  void writeTrace(const std::string &name, const std::string &function, int rows,
                  const std::string &pipeline = "") {
    write(name,
          llvm::formatv("{{\"record\":\"trace\",\"major\":1,\"minor\":5,\"file\":\"k.py\","
                        "\"function\":\"{0}\",\"target\":\"sm_80\",\"pipeline\":\"{1}\","
                        "\"parameters\":[{{\"name\":\"rows\",\"type\":\"int\",\"value\":"
                        "\"{2}\"},{{\"name\":\"columns\",\"type\":\"int\",\"value\":\"8\"}]}\n"
                        "nothing behind the first record is read\n",
                        function, pipeline, rows)
              .str());
  }
  std::string pathOf(const std::string &name) const { return (folder_ + "/" + name).str(); }
  std::string folder() const { return folder_.str().str(); }

private:
  llvm::SmallString<128> folder_;
};

TEST_F(TraceFolderTest, IsKnownByFirstRecordsAndNotByNames) {
  writeTrace("z.trace", "add", 64);
  writeTrace("a.trace", "matmul", 64);
  write("index.json", "{");
  write("notes.txt", "");
  write("half.trace.123456.part", "");
  TraceFolder found = llvm::cantFail(readTraceFolder(folder()));
  ASSERT_EQ(found.traces.size(), 2U);
  EXPECT_EQ(found.traces[0].function, "add");
  EXPECT_EQ(found.traces[0].file, "k.py");
  EXPECT_EQ(found.traces[0].target, "sm_80");
  EXPECT_EQ(found.traces[0].path, pathOf("z.trace"));
  using Arguments = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(found.traces[0].arguments, (Arguments{{"columns", "8"}, {"rows", "64"}}));
  EXPECT_TRUE(found.unread.empty());
}

TEST_F(TraceFolderTest, NamesWhatItCannotReadAndGoesOn) {
  writeTrace("good.trace", "add", 64);
  write("empty.trace", "");
  write("torn.trace", "{\"record\":\"trace\",\"major\":1,");
  ASSERT_FALSE(llvm::sys::fs::create_directory(pathOf("folder.trace")));
  TraceFolder found = llvm::cantFail(readTraceFolder(folder()));
  EXPECT_EQ(found.traces.size(), 1U);
  ASSERT_EQ(found.unread.size(), 3U);
  EXPECT_NE(found.unread[0].why.find("empty.trace' is not a Tilescope trace"), std::string::npos);
  EXPECT_NE(found.unread[1].why.find("folder.trace' is no file"), std::string::npos);
  EXPECT_NE(found.unread[2].why.find("torn.trace"), std::string::npos);
}

TEST_F(TraceFolderTest, RefusesFoldersWithoutTraces) {
  EXPECT_EQ(llvm::toString(readTraceFolder(folder()).takeError()),
            "the folder '" + folder() + "' has no trace (*.trace)");
  EXPECT_EQ(llvm::toString(readTraceFolder(pathOf("none")).takeError()),
            "cannot read the folder '" + pathOf("none") + "': No such file or directory");
}

TEST_F(TraceFolderTest, OrdersEqualArgumentsByConfiguration) {
  writeTrace("a.trace", "add", 64, "simplify");
  writeTrace("b.trace", "add", 64, "merge");
  writeTrace("c.trace", "add", 32, "simplify");
  TraceFolder found = llvm::cantFail(readTraceFolder(folder()));
  std::vector<std::string> order;
  order.reserve(found.traces.size());
  for (const TraceInstance &trace : found.traces)
    order.push_back(llvm::sys::path::filename(trace.path).str());
  EXPECT_EQ(order, (std::vector<std::string>{"c.trace", "b.trace", "a.trace"}));
}

TEST_F(TraceFolderTest, FillsATableTraceByTrace) {
  writeTrace("b.trace", "add", 64);
  writeTrace("a.trace", "matmul", 64);
  write("c.trace", "");
  InstanceList list = llvm::cantFail(InstanceList::open(folder()));
  ASSERT_EQ(list.view().rows.size(), 3U);
  EXPECT_EQ(list.view().rows[0].kernel, "add");
  EXPECT_EQ(list.view().rows[0].arguments, "");
  EXPECT_EQ(list.pathOf(1), pathOf("a.trace"));
  EXPECT_TRUE(list.readNext());
  EXPECT_EQ(list.readCount(), 1U);
  EXPECT_EQ(list.view().rows[0].arguments, "rows=64, columns=8");
  EXPECT_NE(list.view().rows[0].error.find("it is cut off"), std::string::npos);
  EXPECT_TRUE(list.readNext());
  EXPECT_FALSE(list.readNext());
  EXPECT_EQ(list.readCount(), 3U);
  EXPECT_NE(list.view().rows[2].error.find("is not a Tilescope trace"), std::string::npos);
}

ComparedCompile recorded(const std::string &file, const std::string &function,
                         const std::string &arguments, const std::string &configuration = "") {
  ComparedCompile compile{file, function, arguments};
  compile.configuration = configuration;
  return compile;
}

using Pairs = std::vector<std::pair<int, int>>;

// -1: that side lacks it.
Pairs pairsOf(const std::vector<ComparedCompile> &before,
              const std::vector<ComparedCompile> &after) {
  Pairs pairs;
  for (const KernelPair &pair : pairKernels(before, after, SideNames::Recorded))
    pairs.emplace_back(pair.before ? static_cast<int>(*pair.before) : -1,
                       pair.after ? static_cast<int>(*pair.after) : -1);
  return pairs;
}

TEST(RecordedPairs, AreOfEqualFunctionAndArgumentsWhereverTheFileLies) {
  EXPECT_EQ(pairsOf({recorded("/one/k.py", "add", "--set M=1"), recorded("/one/k.py", "mul", "")},
                    {recorded("/two/k.py", "mul", ""), recorded("/two/l.py", "add", "--set M=1")}),
            (Pairs{{1, 0}, {0, 1}}));
}

// Which of several is which nobody knows.
TEST(RecordedPairs, AreOfOtherArgumentsWhereAFunctionHasOneInstanceLeft) {
  ComparedCompile same = recorded("k.py", "add", "--set M=4");
  ComparedCompile one = recorded("a/k.py", "add", "--set M=1");
  ComparedCompile two = recorded("b/k.py", "add", "--set M=2");
  ComparedCompile three = recorded("b/k.py", "add", "--set M=3");
  EXPECT_EQ(pairsOf({one, same}, {same, two}), (Pairs{{1, 0}, {0, 1}}));
  EXPECT_EQ(pairsOf({one}, {two, three}), (Pairs{{-1, 0}, {-1, 1}, {0, -1}}));
  EXPECT_EQ(pairsOf({one}, {recorded("b/l.py", "add", "--set M=2")}), (Pairs{{-1, 0}, {0, -1}}));
  EXPECT_EQ(pairsOf({one}, {recorded("b/k.py", "mul", "--set M=2")}), (Pairs{{-1, 0}, {0, -1}}));
  three.target = "sm_90";
  EXPECT_EQ(pairsOf({one}, {three, two}), (Pairs{{-1, 0}, {0, 1}}));
}

TEST(RecordedPairs, PreferTheSameFileAndConfiguration) {
  EXPECT_EQ(pairsOf({recorded("a/k.py", "add", ""), recorded("b/l.py", "add", "")},
                    {recorded("c/l.py", "add", ""), recorded("a/k.py", "add", "")}),
            (Pairs{{1, 0}, {0, 1}}));
  EXPECT_EQ(pairsOf({recorded("k.py", "add", "", "fast"), recorded("k.py", "add", "", "slow")},
                    {recorded("k.py", "add", "", "slow")}),
            (Pairs{{1, 0}, {0, -1}}));
  // None is the same: in order.
  EXPECT_EQ(pairsOf({recorded("k.py", "add", "", "a"), recorded("k.py", "add", "", "b")},
                    {recorded("k.py", "add", "", "c"), recorded("k.py", "add", "", "d")}),
            (Pairs{{0, 0}, {1, 1}}));
}

} // namespace
