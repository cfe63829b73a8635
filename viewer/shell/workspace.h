// What is open: a trace file or a kernel that is compiled here, and what it is compared with. Files
// are followed: a kernel is compiled again when it is saved, a trace grows while it is written.
#pragma once

#include "viewer/model/document.h"
#include "viewer/model/selection.h"
#include "viewer/panels/panel.h"
#include "viewer/shell/file_watch.h"
#include "viewer/shell/live_compile.h"
#include "viewer/shell/open_trace.h"

namespace tilescope {

// By its first bytes, or its name if it cannot be read.
bool isTraceFile(const std::string &path);

class Workspace : public AppActions {
public:
  // `wake` is called on other threads when `update` has something to take in.
  explicit Workspace(std::function<void()> wake);

  // A trace file or a kernel file. What is open stays open if that fails; the document says why.
  void open(const std::string &path) override;
  void openKernel(CompileRequest request);
  void openOther(const std::string &path);
  void closeOther();
  void swapOther();

  // Takes in finished compiles and changed files. True: something is new.
  bool update();
  // Brings what the panels need of the selected pass; to be called before they draw.
  void loadShown();
  // While nothing else happens: loads a pass that the user may step to. False: there is none.
  bool loadNeighbour();
  // Until a compile that runs has finished and was taken in.
  void waitForCompile();

  void setArgument(llvm::StringRef name, llvm::StringRef value) override;
  void setTarget(llvm::StringRef target) override;
  void setPassOption(llvm::StringRef name, llvm::StringRef value) override;
  void setPlanFor(llvm::StringRef goal) override;
  void editIr(size_t pass, std::string text) override;
  // Again, and a trace that is open from the kernel that it holds: it is live from then on.
  void recompile();

  // The IR after a pass as it can be edited; nullopt: the message of the document says why not.
  std::optional<std::string> taggedText(size_t pass);
  bool hasEdits() const { return request_ && !request_->patches.empty(); }
  void dropEdits();
  // All edits as one patch file, as `tilescope compile --patch` replays it.
  std::string patchText() const;
  // The passes end before this one, so that the IR can be edited there; nullopt: they all run.
  void breakBefore(std::optional<size_t> pass);
  bool isAtBreak() const { return request_ && !request_->stopAfter.empty(); }

  const Document &document() const { return document_; }
  // File that is open and the one it is compared with; "": none.
  const std::string &path() const { return path_; }
  const std::string &otherPath() const { return otherPath_; }

  Selection selection;

private:
  void setOther(std::unique_ptr<OpenTrace> other, std::string path);
  void showTrace(std::unique_ptr<OpenTrace> trace, std::string message);
  void followFiles();
  void takeCompile(LiveCompile::Finished finished);
  void followTrace();
  void reloadKernel();

  std::function<void()> wake_;
  Document document_;
  std::unique_ptr<OpenTrace> trace_;
  std::unique_ptr<OpenTrace> other_;
  std::string path_;
  std::string otherPath_;
  std::optional<CompileRequest> request_; // of a live kernel
  FileWatch files_;
  LiveCompile live_;
};

} // namespace tilescope
