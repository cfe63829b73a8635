// A panel draws one view of what is open. It owns scroll, zoom and its cached view, nothing else,
// and never calls another panel: all of them follow the selection.
//
// To add one: docs/adding.md.
#pragma once

#include "core/session/document.h"
#include "core/session/live_kernel.h"
#include "core/session/pass_states.h"
#include "core/views/selection.h"
#include "viewer/panels/commands.h"
#include "viewer/panels/theme.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tilescope {

// Where things were drawn, by name, for whoever drives the window from outside: pixels, [left,
// right) x [top, bottom) as x, y, z, w.
class Places {
public:
  // The last item of Dear ImGui, if it is on screen.
  void note(llvm::StringRef name);
  void note(llvm::StringRef name, ImVec4 rectangle) { places_[name.str()] = rectangle; }
  void clear() { places_.clear(); }
  const std::map<std::string, ImVec4> &all() const { return places_; }

private:
  std::map<std::string, ImVec4> places_;
};

struct PanelContext {
  const Document &document; // its trace is there, with at least one pass
  PassStates &states;       // of the document
  Selection &selection;
  const Theme &theme;
  LiveKernel &kernel;         // asked for changes only where the document is live
  const CommandSet &commands; // of this frame
  CommandSet &given;          // for the next, as their keys would give them
  Places &places;
  bool hasFocus = false;   // the panel takes Fit and the like: the mouse or Tab went there last
  bool wrapsTexts = false; // long lines of texts take several rows
  std::optional<std::string> *copied = nullptr; // for the panel to set where it knows better what
                                                // Copy takes than its whole text

  // After the selected pass.
  std::shared_ptr<const PassState> state() const { return states.of(document, selection.pass); }
};

class Panel {
public:
  virtual ~Panel() = default;
  // Into the child window that is current; its size is ImGui::GetContentRegionAvail().
  virtual void draw(PanelContext &context) = 0;
  // Whether it can draw a pass with these facets at once. Where it cannot it makes what it lacks
  // ready when it draws another pass of a document that has them ahead.
  virtual bool isReady(uint64_t /*revision*/, const TraceSnapshot & /*facets*/) const {
    return true;
  }
  // Switches that are remembered from one start to the next, each by a name of its own in the
  // panel.
  using VisitToggle = llvm::function_ref<void(llvm::StringRef name, bool &isOn)>;
  virtual void visitToggles(VisitToggle /*visit*/) {}
};

// Where panels stand at first: three columns of two cells with tabs.
enum class Area : uint8_t { Left, LeftLower, Center, CenterLower, Right, RightLower };
inline constexpr size_t AreaCount = 6;

struct PanelInfo {
  llvm::StringRef name; // "arena": of the view model too
  llvm::StringRef title;
  Area area;
  std::unique_ptr<Panel> (*make)();
};

llvm::ArrayRef<PanelInfo> allPanels();

// A view that is built again only when what it depends on changed. `Key` is compared with ==.
template <typename View, typename Key> class CachedView {
public:
  template <typename Build> const View &get(const Key &key, Build build) {
    if (!view_ || !(key_ == key)) {
      view_ = std::make_unique<View>(build());
      key_ = key;
    }
    return *view_;
  }

private:
  Key key_{};
  std::unique_ptr<View> view_;
};

// For views that depend on the trace and the pass only.
struct PassKey {
  uint64_t revision = 0;
  size_t pass = 0;

  static PassKey of(const PanelContext &context) {
    return {context.document.revision, context.selection.pass};
  }
  friend bool operator==(const PassKey &, const PassKey &) = default;
};

// A line above what is not of the kernel as it is now.
void drawStaleMark(const PanelContext &context);

// An empty panel says why it is empty and what would fill it.
void drawEmpty(const PanelContext &context, llvm::StringRef why, llvm::StringRef remedy);

} // namespace tilescope
