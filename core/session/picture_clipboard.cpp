#include "core/session/picture_clipboard.h"

#include "core/toolkit/programs.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

struct ClipboardProgram {
  const char *variable; // of a desktop that it serves
  const char *name;
  const char *package; // of Debian
  std::vector<std::string> arguments;
};

const ClipboardProgram Programs[] = {
    {"WAYLAND_DISPLAY", "wl-copy", "wl-clipboard", {"--type", "image/png"}},
    {"DISPLAY", "xclip", "xclip", {"-selection", "clipboard", "-t", "image/png", "-i"}},
};

llvm::Error write(llvm::StringRef bytes, const std::string &path) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  out << bytes;
  out.close();
  if (!code)
    code = out.error();
  out.clear_error();
  return code ? llvm::createStringError("cannot write '" + path + "': " + code.message())
              : llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<std::string>> pictureCommand() {
  std::string missing;
  for (const ClipboardProgram &program : Programs) {
    if (llvm::sys::Process::GetEnv(program.variable).value_or("").empty())
      continue;
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(program.name)) {
      std::vector<std::string> command = {*path};
      command.insert(command.end(), program.arguments.begin(), program.arguments.end());
      return command;
    }
    if (missing.empty())
      missing = std::string("no ") + program.name +
                ", which puts pictures on the clipboard (package " + program.package + ")";
  }
  return llvm::createStringError(
      missing.empty() ? "no clipboard: neither WAYLAND_DISPLAY nor DISPLAY is set" : missing);
}

llvm::Error copyPng(llvm::StringRef png, const std::atomic<bool> *stop) {
  llvm::Expected<std::vector<std::string>> command = pictureCommand();
  if (!command)
    return command.takeError();
  llvm::SmallString<128> folder;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tilescope", folder))
    return llvm::createStringError("cannot make a temporary folder: " + code.message());
  auto clean = llvm::make_scope_exit([&] { (void)llvm::sys::fs::remove_directories(folder); });
  std::string picture = (folder + "/picture.png").str();
  if (llvm::Error error = write(png, picture))
    return error;
  llvm::Expected<ChildRun> run = runChild(command->front(), llvm::ArrayRef(*command).drop_front(),
                                          (folder + "/log").str(), stop, picture);
  if (!run)
    return run.takeError();
  if (run->status == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      command->front() + " failed: " + llvm::StringRef(run->log).rtrim().split('\n').first.str());
}

PictureClipboard::PictureClipboard(std::function<void()> wake)
    : NewestRequest(
          [](const std::function<std::string()> &makePng, const Task &task) {
            llvm::Error error = copyPng(makePng(), &task.stop);
            return error ? llvm::toString(std::move(error)) : "";
          },
          std::move(wake)) {}

} // namespace tilescope
