// What the window remembers: written and read again, and files that somebody else has written.
#include "viewer/shell/settings.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <fstream>

namespace tilescope {
namespace {

class SettingsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("settings", folder_));
    file_ = folder_;
    llvm::sys::path::append(file_, "view.json");
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }

  std::string file() const { return file_.str().str(); }
  Settings reads(const std::string &text) const {
    std::ofstream(file()) << text;
    return readSettings(file());
  }

private:
  llvm::SmallString<128> folder_, file_;
};

TEST_F(SettingsTest, AreReadAsTheyWereWritten) {
  Settings settings;
  settings.layout.leftShare = 0.25;
  settings.layout.upperShares = {0.5, 0.25, 0.75};
  settings.layout.areas = {{"arena", "left lower"}};
  settings.layout.active = {"ir", "arena"};
  settings.theme = "light";
  settings.textPixels = 17.5;
  settings.width = 1024;
  settings.recent = {"/kernels/gemm.py --set M=256"};
  settings.toggles = {{"remarks.this-pass", true}};
  ASSERT_FALSE(writeSettings(settings, file()));
  Settings again = readSettings(file());
  EXPECT_EQ(toJSON(again), toJSON(settings));
  EXPECT_EQ(again.layout.areas, settings.layout.areas);
  EXPECT_EQ(again.recent, settings.recent);
}

TEST_F(SettingsTest, AreTheDefaultsWhereAFileSaysNothingOrNonsense) {
  const llvm::json::Value defaults = toJSON(Settings());
  EXPECT_EQ(toJSON(readSettings(file())), defaults); // no file
  for (const char *text :
       {"", "{", "[]", "7", "{\"theme\": 7}", "{\"theme\": \"light\", \"width\": \"wide\"}",
        "{\"layout\": {\"active\": [1]}}", "{\"toggles\": [true]}", "{\"of\": \"tomorrow\"}"})
    EXPECT_EQ(toJSON(reads(text)), defaults) << text;
}

TEST_F(SettingsTest, StayWithinBounds) {
  Settings settings = reads(R"({"textPixels": 1e9, "width": 1, "layout": {"leftShare": -3}})");
  EXPECT_EQ(settings.textPixels, 40);
  EXPECT_EQ(settings.width, 320);
  EXPECT_EQ(settings.layout.leftShare, WindowLayout().leftShare);
}

// The name of a file may be any bytes.
TEST_F(SettingsTest, TakeNamesThatAreNoUtf8) {
  Settings settings;
  settings.recent = {"/kernels/\xff.py"};
  ASSERT_FALSE(writeSettings(settings, file()));
  EXPECT_EQ(readSettings(file()).recent.size(), 1u);
}

} // namespace
} // namespace tilescope
