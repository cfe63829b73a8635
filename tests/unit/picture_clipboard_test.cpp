// Which program takes a picture to the clipboard of which desktop, and what it gets.
// Run alone: unit_tests --gtest_filter='PictureClipboardTest.*'
#include "core/session/picture_clipboard.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace tilescope {
namespace {

// PATH is a folder of its own, with programs that write their arguments and their input there.
class PictureClipboardTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("clipboard", folder));
    for (const char *name : {"PATH", "DISPLAY", "WAYLAND_DISPLAY"})
      before.emplace_back(name,
                          std::getenv(name) ? std::optional(std::getenv(name)) : std::nullopt);
    setenv("PATH", folder.c_str(), 1);
    setDesktop("", "");
  }

  void TearDown() override {
    for (const auto &[name, value] : before)
      value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    (void)llvm::sys::fs::remove_directories(folder);
  }

  static void setDesktop(const char *wayland, const char *x) {
    setenv("WAYLAND_DISPLAY", wayland, 1);
    setenv("DISPLAY", x, 1);
  }

  std::string path(llvm::StringRef name) const { return (folder + "/" + name).str(); }

  void addProgram(llvm::StringRef name, llvm::StringRef body) {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << "#!/bin/sh\n" << body;
    ASSERT_FALSE(code);
    ASSERT_FALSE(llvm::sys::fs::setPermissions(path(name), llvm::sys::fs::all_all));
  }

  static std::string textOf(const std::string &file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

  // The program, its arguments, or what it says instead.
  static std::string chosen() {
    llvm::Expected<std::vector<std::string>> command = pictureCommand();
    if (!command)
      return llvm::toString(command.takeError());
    std::string text;
    for (const std::string &word : *command)
      text += (text.empty() ? llvm::sys::path::filename(word).str() : " " + word);
    return text;
  }

  llvm::SmallString<128> folder;
  std::vector<std::pair<std::string, std::optional<std::string>>> before;
};

constexpr const char *OfX = "xclip -selection clipboard -t image/png -i";
constexpr const char *OfWayland = "wl-copy --type image/png";

TEST_F(PictureClipboardTest, TheDesktopChooses) {
  addProgram("xclip", "");
  addProgram("wl-copy", "");
  setDesktop("", ":0");
  EXPECT_EQ(chosen(), OfX);
  setDesktop("wayland-0", "");
  EXPECT_EQ(chosen(), OfWayland);
  setDesktop("wayland-0", ":0");
  EXPECT_EQ(chosen(), OfWayland);
  (void)llvm::sys::fs::remove(path("wl-copy"));
  EXPECT_EQ(chosen(), OfX);
}

TEST_F(PictureClipboardTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(chosen(), "no clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set");
  setDesktop("", ":0");
  EXPECT_EQ(chosen(), "no xclip, which puts pictures on the clipboard (package xclip)");
  setDesktop("wayland-0", ":0");
  EXPECT_EQ(chosen(), "no wl-copy, which puts pictures on the clipboard (package wl-clipboard)");
}

TEST_F(PictureClipboardTest, TheProgramReadsThePicture) {
  setDesktop("wayland-0", "");
  addProgram("wl-copy", "echo $@ > " + path("words") + "; /bin/cat > " + path("input") + "\n");
  std::string png("\x89PNG\0\r\n", 7);
  EXPECT_EQ(llvm::toString(copyPng(png, nullptr)), "");
  EXPECT_EQ(textOf(path("words")), "--type image/png\n");
  EXPECT_EQ(textOf(path("input")), png);
}

TEST_F(PictureClipboardTest, AFailureSaysWhatTheProgramSaid) {
  setDesktop("", ":0");
  addProgram("xclip", "echo 'Error: Can not open display' >&2; exit 1\n");
  EXPECT_EQ(llvm::toString(copyPng("", nullptr)),
            path("xclip") + " failed: Error: Can not open display");
}

TEST_F(PictureClipboardTest, OneThatHangsIsStopped) {
  setDesktop("", ":0");
  addProgram("xclip", "exec /bin/sleep 1000\n");
  const std::atomic<bool> stop = true;
  EXPECT_EQ(llvm::toString(copyPng("", &stop)), "stopped");
}

} // namespace
} // namespace tilescope
