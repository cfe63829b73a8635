// A window onto a picture that is larger than its place on screen.
//
// Ctrl+wheel zooms at the pointer, wheel and PageUp and PageDown scroll, Shift+wheel scrolls
// sideways, drag pans, and bars show what part is seen where it is not all. Fit shows the
// selection, again: all of the picture. A double or middle click goes back to how it
// began. Positions of the picture are doubles in units of its domain; those on screen are pixels.
#pragma once

#include "viewer/panels/panel.h"

#include <imgui.h>

#include <optional>

namespace tilescope {

// A rectangle on screen.
struct Box {
  ImVec2 min, max;

  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool contains(ImVec2 at) const {
    return min.x <= at.x && at.x < max.x && min.y <= at.y && at.y < max.y;
  }
};

// [begin, end) of an axis, in its units.
struct Stretch {
  double begin = 0;
  double end = 0;

  double length() const { return end - begin; }
  bool meets(double from, double to) const { return from < end && begin < to; }
};

// Where something lies in the picture.
struct Region {
  Stretch x, y;
};

// One direction of a view.
class ZoomAxis {
public:
  // `rest`: pixels of a unit before anyone zooms; 0: all of the domain fits.
  void place(double minPixels, double sizePixels, Stretch domain, double rest);
  void zoom(double factor, double atPixels);
  void pan(double pixels);
  void show(Stretch part); // all of it, as large as it fits
  // Not larger than so many times as at rest; what is in the middle stays there.
  void limit(double factor);
  // A unit has at least so many pixels; what is first stays first.
  void keepLegible(double pixels);
  void reset() { scale_ = 0, begin_ = 0; }
  // Scrolls as little as shows it.
  void reveal(Stretch part);

  double pixel(double unit) const { return min_ + (unit - begin_) * unitPixels(); }
  double unit(double pixel) const { return begin_ + (pixel - min_) / unitPixels(); }
  double unitPixels() const;
  Stretch shown() const { return {begin_, begin_ + size_ / unitPixels()}; }
  bool isAtRest() const { return scale_ == 0; }
  // What is seen, of the domain as [0, 1); all of it: [0, 1).
  Stretch shownShare() const;
  bool isWhole() const { return shownShare().length() > 0.999; }

private:
  void clamp();

  double min_ = 0, size_ = 1, rest_ = 0;
  Stretch domain_{0, 1};
  double begin_ = 0;
  double scale_ = 0; // pixels of a unit; 0: at rest
};

class ZoomView {
public:
  // The picture is drawn into `plot`; all of `area`, which holds it, takes the mouse. `restY` is
  // the height of a unit before anyone zooms (0: all fits), `target` what Fit shows first. Fit
  // makes no unit lower than `leastY`.
  void update(const PanelContext &context, const char *id, const Box &area, const Box &plot,
              Region domain, double restY, const std::optional<Region> &target, double leastY = 0);

  ZoomAxis x, y;

  // Over the picture, after it was drawn: over the right and the lower edge of the area.
  // `isHinted`: where little of it is seen, a word in the corner says so.
  void drawBars(PanelContext &context, bool isHinted = false) const;
  static float barWidth(const Theme &theme); // pixels

  float pixelX(double unit) const { return static_cast<float>(x.pixel(unit)); }
  float pixelY(double unit) const { return static_cast<float>(y.pixel(unit)); }
  bool isHovered() const { return isHovered_; } // and nothing is dragged
  bool isClicked() const { return isClicked_; } // pressed and released at one place
  // A drag that begins in the next frame does not pan: it is of whoever says so.
  void keepNextDrag() { keepsNext_ = true; }
  // How far it has come, in pixels; nullopt: there is none. In the frame of the drop it is there.
  std::optional<ImVec2> keptDrag() const { return kept_; }
  bool isKeptDropped() const { return isDropped_; }
  ImVec2 mouse() const { return ImGui::GetIO().MousePos; }

private:
  struct Bar {
    Box box; // empty: all is seen
    bool isDragged = false;
  };
  void takeMouse();
  void takeKeptDrag();
  void placeBars(const Theme &theme, const Box &area, const Box &plot);
  bool dragBars(); // whether the mouse has one
  void drawHint(PanelContext &context) const;
  void takePages(const PanelContext &context);
  void fit(const std::optional<Region> &target, Region domain);
  void showFitted();
  void rest();
  void forgetFit() { fits_ = 0, fitted_.reset(); }

  bool isHovered_ = false, isClicked_ = false, isDragged_ = false;
  bool keepsNext_ = false, isKept_ = false, isDropped_ = false;
  std::optional<ImVec2> kept_;
  int fits_ = 0; // how often Fit was given since something else happened
  // What Fit shows: all of it again when the plot gets another size, until something else happens.
  std::optional<Region> fitted_;
  double leastY_ = 0; // pixels of a unit
  ImVec2 plotSize_;
  Bar barX_, barY_;
  std::string id_;
};

} // namespace tilescope
