// An arena as a picture: addresses across with one byte scale, program points down.
//
//                       0        16 KiB     32 KiB   peak    capacity
//     28  T.copy(A)     +----+              .          :        |
//     29  T.copy(B)     | A  +----------+   .          :        |
//     30  T.gemm(A, B)  +----+    B     |   .          :        |
//     38  T.copy(C)     |  C |----------+   .          :        |
//
// A buffer is a box as wide as its bytes, in its own hue, one for each interval of its life, with a
// line between its versions; what alignment costs below it is hatched.
#pragma once

#include "core/access/arena_plan.h"
#include "core/exports/point_axis.h"
#include "core/target/occupancy.h"
#include "core/trace/pass_state.h"

namespace tilescope {

struct PictureBuffer {
  std::string detail; // "float16 (128, 32) x3"; ""
  int hueDegrees = 0;
};

// Shared memory that has no offset in the arena, in a column beside it: a static array, or what is
// sized at launch. Those of one column share bytes.
struct OutsideBox {
  BufferId buffer;
  std::string name;
  std::string detail; // "static, 512 B", "sized at launch"
  int hueDegrees = 0;
  int64_t sizeBytes = 0; // 0: known at launch only
  int column = 0;
  std::vector<LiveInterval> live; // empty: as long as the kernel runs
};

// Static arrays first, then what is sized at launch by region; `arena` may be nullptr.
std::vector<OutsideBox> outsideOf(const FacetState &state, llvm::StringRef function,
                                  const ArenaRecord *arena);

// How wide a picture is drawn, so that several can be compared.
struct ArenaScale {
  int64_t endBytes = 0; // right end; 0: what the picture needs itself
  double plotWidth = 880;
  double labelWidth = 0; // at least so much on the left
  double rightWidth = 0; // and on the right
};

struct ArenaPicture {
  std::string title;
  std::string caption; // what is proven; ""
  ArenaProblem problem;
  ArenaPlan plan;
  std::vector<PictureBuffer> buffers; // in the order of the problem's; may be empty
  std::vector<PointLabel> labels;     // by point; may be empty
  std::vector<PointLoop> loops;
  std::vector<OccupancyStep> steps; // may be empty
  std::vector<OutsideBox> outside;  // may be empty
  ArenaScale scale;
};

// All pictures get one scale and one width: a byte is as wide in each, and stands at the same
// place.
void shareScale(llvm::ArrayRef<ArenaPicture *> pictures, double plotWidth);

// `plan` must be of `problem`. All text is escaped; the same picture gives the same bytes.
SvgDrawing drawArena(const ArenaPicture &picture);

// A whole SVG document: the pictures one below the other.
std::string arenaSvg(const std::vector<ArenaPicture> &pictures);

// Of a kernel with an arena after a pass; the caption is the caller's.
ArenaPicture arenaPictureOf(const PassState &state, const FunctionState &function);

} // namespace tilescope
