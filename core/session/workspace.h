// What is open: a trace file or a kernel that is compiled here, and what it is compared with. Files
// are followed: a kernel is compiled again when it is saved, a trace grows while it is written.
#pragma once

#include "core/driver/kernel_name.h"
#include "core/session/device_listings.h"
#include "core/session/document.h"
#include "core/session/file_watch.h"
#include "core/session/history_compile.h"
#include "core/session/kernel_choices.h"
#include "core/session/live_compile.h"
#include "core/session/live_kernel.h"
#include "core/session/open_trace.h"
#include "core/session/other_compile.h"
#include "core/session/pass_name.h"
#include "core/session/pass_search.h"
#include "core/session/peak_trials.h"
#include "core/views/selection.h"

namespace tilescope {

// By its first bytes, or its name if it cannot be read.
bool isTraceFile(const std::string &path);

// What an edit of the IR starts from.
struct EditableText {
  std::string place;  // as patch files call it
  std::string text;   // tagged, with what was edited there before
  std::string misfit; // the patch of an edit that does not fit any more, and is not in the text
};

class Workspace : public LiveKernel {
public:
  // `wake` is called on other threads when `update` has something to take in.
  explicit Workspace(std::function<void()> wake);

  // A trace file or a kernel file, FILE[:FUNCTION] and options as kernel_name.h reads them; a
  // comparison ends. What is open stays open if that fails; the document says why. A kernel that
  // does not compile opens with what is wrong with it. Whether it is open.
  bool open(const std::string &line);
  void openKernel(CompileRequest request);
  // A trace file, or, where no file has that name, a revision: as compareWith.
  void openOther(const std::string &path);
  void closeOther();
  void swapOther();
  // What is open is what later compiles are compared with.
  void keepToCompare();

  // Takes in finished compiles, changed files and what was found. True: something is new.
  bool update();
  // What is made in the background only while something shows it.
  struct Background {
    bool showsListing = false;
    bool showsTrials = false;
    bool showsHistory = false;
  };
  // Brings what the panels need of the selected pass; to be called before they draw.
  void loadShown(const Background &background = {false, false, false});
  // Has the facets of the selected pass, and of those that the user may step to, read on another
  // thread. Whether the pass is loaded; what is loaded before it is drawn need not be waited for.
  bool lookAhead();
  // Until a compile that runs has finished and was taken in, and what runs in the background
  // has. Whether there was any.
  bool waitForCompile();
  // Until the query was looked for after all passes.
  void waitForSearch();

  void setArgument(llvm::StringRef name, llvm::StringRef value) override;
  void setTarget(llvm::StringRef target) override;
  void setPassOption(llvm::StringRef name, llvm::StringRef value) override;
  void setPlanFor(llvm::StringRef goal) override;
  void request(const Requested &wanted) override;
  // One patch a place: what was edited there before is part of the text.
  void editIr(size_t pass, const std::string &text);
  void setOffset(BufferId buffer, int64_t offsetBytes) override;
  void addEdit(llvm::StringRef place, llvm::StringRef patch) override;
  // Again, and a trace that is open from the kernel that it holds: it is live from then on.
  void recompile();

  // The IR after a pass as it can be edited; nullopt: the message of the document says why not.
  std::optional<EditableText> editableText(size_t pass);
  void dropEdits();
  // All edits as one patch file, as `tilescope compile --patch` replays it.
  std::string patchText() const;
  void breakBefore(std::optional<size_t> pass) override;
  void compareWith(llvm::StringRef revision) override;
  // What is open has come to no pass: there are the kernel file and what is wrong with it.
  bool isStandIn() const { return trace_ && trace_->isStandIn(); }
  // True once, when what was opened is shown.
  bool takeOpened() { return std::exchange(wasOpened_, false); }
  bool isAtBreak() const { return request_ && !request_->stopAfter.empty(); }

  const Document &document() const { return document_; }
  // File that is open and the one it is compared with; "": none.
  const std::string &path() const { return path_; }
  const std::string &otherPath() const { return otherPath_; }

  Selection selection;

private:
  bool openTrace(const std::string &path);
  void setOther(std::shared_ptr<OpenTrace> other, std::string path);
  void showTrace(std::shared_ptr<OpenTrace> trace, std::string message);
  bool searchPasses();
  bool takeOther();
  void takeCompile(FinishedCompile finished);
  void followTrace();
  void reloadKernel();
  bool makeLive(); // from what the open trace says of itself

  std::function<void()> wake_;
  Document document_;
  std::shared_ptr<OpenTrace> trace_;
  std::shared_ptr<OpenTrace> other_; // may be the same
  size_t passBefore_ = 0;            // that was selected when lookAhead was called
  bool goesBack_ = false;            // the way that the user last went
  PassFollower follower_;
  KernelChoices kernels_;
  std::string path_;
  std::string otherPath_;
  std::optional<CompileRequest> request_; // of a live kernel
  bool isOpening_ = false;                // nothing of it is shown yet
  bool wasOpened_ = false;
  FileWatch files_;
  LiveCompile live_;
  PassSearch search_;
  DeviceListings listings_;
  LiveTrials trials_;
  HistoryCompile history_;
  std::shared_ptr<OpenTrace> historyOf_; // that history_ was started for
  OtherCompile otherCompile_;
};

} // namespace tilescope
