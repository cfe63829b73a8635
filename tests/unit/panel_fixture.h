// A Dear ImGui context without a window, and traces to draw.
#pragma once

#include "core/trace_file/trace_reader.h"
#include "viewer/shell/frame.h"

#include <imgui.h>

namespace tilescope {

class IgnoredKernel : public LiveKernel {
public:
  void setArgument(llvm::StringRef /*name*/, llvm::StringRef /*value*/) override {}
  void setTarget(llvm::StringRef /*target*/) override {}
  void setPassOption(llvm::StringRef /*name*/, llvm::StringRef /*value*/) override {}
  void setPlanFor(llvm::StringRef /*goal*/) override {}
  void request(const Requested & /*wanted*/) override {}
  void setOffset(BufferId /*buffer*/, int64_t /*offsetBytes*/) override {}
  void addEdit(llvm::StringRef /*place*/, llvm::StringRef /*patch*/) override {}
  void breakBefore(std::optional<size_t> /*pass*/) override {}
  void compareWith(llvm::StringRef revision) override { compared = revision.str(); }

  std::string compared; // with what; "": nothing
};

// While it lives ImGui draws into nothing, at 1600 x 1000.
class HeadlessImGui {
public:
  HeadlessImGui() {
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1600, 1000);
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    unsigned char *pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    theme.apply();
    theme.mono = theme.strong = io.Fonts->Fonts[0];
  }
  HeadlessImGui(const HeadlessImGui &) = delete;
  HeadlessImGui &operator=(const HeadlessImGui &) = delete;
  ~HeadlessImGui() { ImGui::DestroyContext(); }

  // From the next frame on.
  void show(const Theme &wanted, ImVec2 size) {
    theme = wanted;
    theme.mono = theme.strong = ImGui::GetIO().Fonts->Fonts[0];
    theme.apply();
    ImGui::GetIO().DisplaySize = size;
  }

  // Vertices of one frame.
  template <typename Draw> int frame(Draw draw) {
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    ImGui::NewFrame();
    draw();
    ImGui::Render();
    return ImGui::GetDrawData()->TotalVtxCount;
  }

  Theme theme = Theme::dark();
};

// A panel alone, in a window at the corner of the screen.
class LonePanel {
public:
  LonePanel(HeadlessImGui &imgui, ImVec2 size, std::string title = "panel")
      : imgui_(imgui), size_(size), title_(std::move(title)) {}

  // Vertices of one frame.
  int draw(Panel &panel, const Document &document, Selection &selection) {
    return imgui_.frame([&] {
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(size_);
      ImGui::Begin(title_.c_str());
      CommandSet commands;
      Places places;
      PanelContext context{document, states_,  selection, imgui_.theme,
                           kernel_,  commands, given_,    places};
      panel.draw(context);
      ImGui::End();
    });
  }

private:
  HeadlessImGui &imgui_;
  ImVec2 size_;
  std::string title_;
  IgnoredKernel kernel_;
  CommandSet given_;
  PassStates states_;
};

} // namespace tilescope
