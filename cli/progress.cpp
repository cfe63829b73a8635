#include "cli/progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

constexpr size_t BarWidth = 30;
constexpr std::chrono::milliseconds LeastPause(100);

} // namespace

Progress::Progress(size_t done, size_t all)
    : done_(done), all_(all), isShown_(llvm::errs().is_displayed()) {
  if (isShown_)
    draw("");
}

Progress::~Progress() {
  if (isShown_)
    llvm::errs() << "\r\x1b[K";
}

void Progress::advance(llvm::StringRef note) { show(done_ + 1, note); }

void Progress::show(size_t done, llvm::StringRef note) {
  done_ = done;
  auto now = std::chrono::steady_clock::now();
  if (!isShown_ || (now - drawn_ < LeastPause && done_ != all_))
    return;
  drawn_ = now;
  draw(note);
}

void Progress::draw(llvm::StringRef note) const {
  size_t filled = all_ == 0 ? BarWidth : done_ * BarWidth / all_;
  llvm::errs() << llvm::formatv("\r[{0}{1}] {2}/{3} {4}\x1b[K", std::string(filled, '#'),
                                std::string(BarWidth - filled, '.'), done_, all_, note);
}

} // namespace tilescope
