// The pictures that the window saves: names, bytes, errors.
#include "core/session/picture_export.h"
#include "core/trace_file/trace_reader.h"
#include "core/views/pictures.h"
#include "tests/source_folder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

Trace smallTrace() {
  return llvm::cantFail(readTraceFile(inSourceFolder("testdata/traces/written_gemm.trace")));
}

class PictureExportTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("pictures", folder_)); }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }

  std::string pathOf(const std::string &name) const { return folder_.str().str() + "/" + name; }
  std::string textOf(const std::string &name) const {
    auto buffer = llvm::MemoryBuffer::getFile(pathOf(name));
    return buffer ? (*buffer)->getBuffer().str() : "no " + name;
  }

private:
  llvm::SmallString<128> folder_;
};

TEST_F(PictureExportTest, WritesWhatShowPrints) {
  Trace trace = smallTrace();
  Selection selection;
  trace.passes[selection.pass].name = "tidy(a,b)";
  EXPECT_EQ(
      exportPictures(trace, selection, pathOf("gemm.trace")),
      "wrote gemm.tidy-a-b-.arena.svg, layouts, lifetimes, stages, timeline beside gemm.trace");
  for (const PictureInfo &picture : allPictures())
    EXPECT_EQ(textOf("gemm.tidy-a-b-." + picture.name.str() + ".svg"),
              picture.draw(trace, selection));
}

TEST_F(PictureExportTest, TellsRunsOfAPassApart) {
  Trace trace = smallTrace();
  ASSERT_GE(trace.passes.size(), 2U);
  for (TracePass &pass : trace.passes)
    pass.name = "simplify";
  Selection selection;
  selection.pass = 1;
  exportPictures(trace, selection, pathOf("kernel.py"));
  EXPECT_EQ(textOf("kernel.simplify-2.arena.svg"), pictureOf("arena")->draw(trace, selection));
}

TEST_F(PictureExportTest, SaysWhyNot) {
  Trace trace = smallTrace();
  std::string said = exportPictures(trace, Selection(), pathOf("missing/gemm.trace"));
  EXPECT_NE(said.find("cannot write"), std::string::npos) << said;
  EXPECT_NE(said.find("No such file or directory"), std::string::npos) << said;
}

} // namespace
} // namespace tilescope
