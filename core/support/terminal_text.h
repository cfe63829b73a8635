// Text of strangers on a terminal: names in traces and lines of kernel files must not move the
// cursor, set titles or clear screens.
#pragma once

#include "llvm/Support/raw_ostream.h"

namespace tilescope {

// Passes text on to a stream that outlives it: control characters spelled out but for newlines and
// tabs, colours as they are.
class TerminalText : public llvm::raw_ostream {
public:
  explicit TerminalText(llvm::raw_ostream &out);
  ~TerminalText() override { flush(); }

  // An escape sequence of ours.
  void writeSequence(llvm::StringRef sequence) { out_ << sequence; }

  llvm::raw_ostream &changeColor(enum Colors color, bool bold, bool isBackground) override;
  llvm::raw_ostream &resetColor() override;
  llvm::raw_ostream &reverseColor() override;
  bool is_displayed() const override { return out_.is_displayed(); }
  bool has_colors() const override { return out_.has_colors(); }

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return out_.tell(); }

  llvm::raw_ostream &out_;
};

} // namespace tilescope
