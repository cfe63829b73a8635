#include "core/exports/timeline_svg.h"

#include "core/exports/point_axis.h"
#include "core/support/number_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double PassHeight = 18;
constexpr double BarWidth = 320;
constexpr double BytesWidth = 320;
constexpr double IndentWidth = 12;
constexpr double ScaleHeight = 22; // below the heading

std::string timeText(int64_t microseconds) {
  return llvm::formatv("{0:f3} ms", static_cast<double>(microseconds) / 1000).str();
}

// The distance of the marks of a scale that ends at `most`: at most five of them.
int64_t timeStep(int64_t most) {
  for (int64_t power = 1;; power *= 10)
    for (int64_t step : {power, 2 * power, 5 * power})
      if (most / step < 5)
        return step;
}
int64_t byteStep(int64_t most) {
  int64_t step = 64;
  while (most / step >= 5)
    step *= 2;
  return step;
}

// "0", "0.5 ms", "20 ms"
std::string timeMark(int64_t microseconds) {
  std::string text = llvm::formatv("{0}", microseconds / 1000);
  if (int64_t rest = microseconds % 1000)
    text += "." + llvm::StringRef(std::to_string(1000 + rest)).drop_front().rtrim('0').str();
  return microseconds == 0 ? "0" : text + " ms";
}

class TimelineDrawing {
public:
  explicit TimelineDrawing(const TimelinePicture &picture) : picture_(picture) {
    double names = 0, times = 0;
    for (const TimelineBar &bar : picture.bars) {
      names = std::max(names, widthOf(bar.name) + IndentWidth * bar.depth);
      times = std::max(times, widthOf(timeText(bar.microseconds)));
      mostMicroseconds_ = std::max(mostMicroseconds_, bar.microseconds);
      mostBytes_ = std::max(mostBytes_, bar.sharedBytes);
    }
    bars_ = Margin + names + Margin;
    bytes_ = bars_ + BarWidth + times + 3 * Margin;
    scaleBytes_ = std::max<int64_t>(mostBytes_, 1);
    if (picture.capacityBytes / 4 <= mostBytes_)
      scaleBytes_ = std::max(scaleBytes_, picture.capacityBytes);
  }

  SvgDrawing draw() {
    double width = bytes_ + BytesWidth + 120;
    drawHeading(picture_.title, picture_.caption, width, svg_);
    double bottom = y(picture_.bars.size());
    for (size_t row = 1; row < picture_.bars.size(); row += 2)
      svg_.box({Margin, y(row), bytes_ + BytesWidth - Margin, PassHeight}, "class=\"band\"");
    if (mostMicroseconds_ > 0)
      for (int64_t time = 0, step = timeStep(mostMicroseconds_); time <= mostMicroseconds_;
           time += step)
        drawMark(bars_ + BarWidth * shareOf(time), timeMark(time));
    if (mostBytes_ > 0)
      for (int64_t bytes = 0, step = byteStep(scaleBytes_); bytes <= scaleBytes_; bytes += step)
        drawMark(byteX(bytes), bytes == 0 ? "0" : kibText(bytes));
    for (size_t row = 0; row != picture_.bars.size(); ++row)
      drawRow(row);
    if (picture_.capacityBytes > 0 && picture_.capacityBytes <= scaleBytes_ && mostBytes_ > 0) {
      double x = byteX(picture_.capacityBytes);
      svg_.line(x, y(0), x, bottom, "class=\"capacity\"");
      svg_.text(x, bottom + 14, "capacity " + groupedNumber(picture_.capacityBytes),
                "class=\"middle capacity-text\"");
    }
    return {width, bottom + 24, svg_.body()};
  }

private:
  double y(size_t row) const {
    return HeadingHeight + ScaleHeight + PassHeight * static_cast<double>(row);
  }
  // Of the width of the bars.
  double shareOf(int64_t microseconds) const {
    if (mostMicroseconds_ == 0)
      return 0;
    return static_cast<double>(microseconds) / static_cast<double>(mostMicroseconds_);
  }
  double byteX(int64_t bytes) const {
    return bytes_ + BytesWidth * static_cast<double>(bytes) / static_cast<double>(scaleBytes_);
  }

  void drawMark(double x, llvm::StringRef label) {
    svg_.line(x, y(0), x, y(picture_.bars.size()), "class=\"grid\"");
    svg_.text(x, y(0) - 5, label, "class=\"middle quiet\"");
  }

  void drawRow(size_t row) {
    const TimelineBar &bar = picture_.bars[row];
    double top = y(row), base = top + 13;
    svg_.text(Margin + IndentWidth * bar.depth, base, bar.name);
    double share = shareOf(bar.microseconds);
    svg_.box({bars_, top + 3, std::max(BarWidth * share, 0.5), PassHeight - 6},
             bar.isGroup ? "fill=\"none\" stroke=\"#1765cc\"" : "fill=\"#8fb5e8\"");
    svg_.text(bars_ + BarWidth * share + 6, base, timeText(bar.microseconds), "class=\"quiet\"");
    if (mostBytes_ > 0)
      drawBytes(row);
  }

  void drawBytes(size_t row) {
    const TimelineBar &bar = picture_.bars[row];
    double x = byteX(bar.sharedBytes), top = y(row);
    const char *stroke = bar.sharedIsPreview
                             ? "stroke=\"#6a3fd0\" stroke-width=\"2\" stroke-dasharray=\"4 3\""
                             : "stroke=\"#6a3fd0\" stroke-width=\"2\"";
    svg_.line(x, top, x, top + PassHeight, stroke);
    int64_t before = row ? picture_.bars[row - 1].sharedBytes : -1;
    if (before == bar.sharedBytes)
      return;
    if (row)
      svg_.line(std::min(x, byteX(before)), top, std::max(x, byteX(before)), top, stroke);
    std::string text = groupedNumber(bar.sharedBytes);
    bool isLeft = x - bytes_ > widthOf(text) + 12;
    svg_.text(isLeft ? x - 6 : x + 6, top + 13, text, isLeft ? "class=\"end\"" : "");
  }

  const TimelinePicture &picture_;
  int64_t mostMicroseconds_ = 0, mostBytes_ = 0, scaleBytes_ = 1;
  double bars_ = 0, bytes_ = 0; // left edges of the columns
  SvgWriter svg_;
};

} // namespace

std::string timelineSvg(const TimelinePicture &picture) {
  return pictureDocument({TimelineDrawing(picture).draw()}, "");
}

} // namespace tilescope
