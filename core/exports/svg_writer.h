// The few elements of SVG that our pictures use. Lengths are in pixels.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

// Text for content and attribute values: mark-up characters become entities, marks of writing
// direction are spelled out; what XML or UTF-8 forbids becomes U+FFFD.
std::string escapeXml(llvm::StringRef text);

// At most `width` characters, an ellipsis at the end of what was longer; `text` must be UTF-8.
std::string clipText(llvm::StringRef text, size_t width);

// The same with the ellipsis in the middle: names of buffers differ at their ends.
std::string clipName(llvm::StringRef name, size_t width);

// Characters, as a fixed-width font counts them.
size_t charactersOf(llvm::StringRef text);

struct SvgBox {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// Builds the body of a picture. `attributes` are written as they are: never from input.
class SvgWriter {
public:
  void box(const SvgBox &box, llvm::StringRef attributes);
  void line(double x1, double y1, double x2, double y2, llvm::StringRef attributes);
  // (x, y) is where the base line starts, or ends or has its middle, by text-anchor.
  void text(double x, double y, llvm::StringRef text, llvm::StringRef attributes = "");
  // Reads upwards; (x, y) is the middle of the base line.
  void verticalText(double x, double y, llvm::StringRef text, llvm::StringRef attributes = "");
  // What follows until endGroup shows `title` under the pointer.
  void beginGroup(llvm::StringRef title);
  void endGroup();

  const std::string &body() const { return body_; }

private:
  std::string body_;
};

// One picture; several in one document stand one below the other.
struct SvgDrawing {
  double width = 0;
  double height = 0;
  std::string body;
};

// The same drawings give the same bytes. `style` is CSS, `definitions` go into <defs>.
std::string svgDocument(const std::vector<SvgDrawing> &drawings, llvm::StringRef style,
                        llvm::StringRef definitions);

} // namespace tilescope
