#include "viewer/panels/widgets/cut_texts.h"

#include <imgui.h>

namespace tilescope {

// The context carries the pointer, so that widgets need not hand it from one to the next.
CutTexts::Recording::Recording(CutTexts &texts) { ImGui::GetIO().UserData = &texts; }

CutTexts::Recording::~Recording() { ImGui::GetIO().UserData = nullptr; }

void CutTexts::note(TextKind kind, llvm::StringRef text, llvm::StringRef shown) {
  if (auto *texts = static_cast<CutTexts *>(ImGui::GetIO().UserData))
    texts->texts_.push_back({kind, text.str(), shown.str()});
}

} // namespace tilescope
