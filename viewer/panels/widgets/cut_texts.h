// Texts of a frame that do not stand on screen whole, for whoever checks what is drawn.
//
//   CutTexts cut;
//   CutTexts::Recording recording(cut); // what is drawn while it lives
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

enum class TextKind : uint8_t {
  Label,  // stands there whole: one that is cut is a mistake of whoever placed it
  Listing // code, remarks, names that users give: may end in an ellipsis, and a tooltip has all
};

struct CutText {
  TextKind kind = TextKind::Label;
  std::string text;
  std::string shown; // "": nothing of it
};

class CutTexts {
public:
  const std::vector<CutText> &all() const { return texts_; }
  void clear() { texts_.clear(); }

  // Of the Dear ImGui context that is current. Does nothing where nobody records.
  static void note(TextKind kind, llvm::StringRef text, llvm::StringRef shown);

  class Recording {
  public:
    explicit Recording(CutTexts &texts);
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;
    ~Recording();
  };

private:
  std::vector<CutText> texts_;
};

} // namespace tilescope
