#include "core/exports/arena_svg.h"

#include "core/support/buffer_key.h"
#include "core/support/colour.h"
#include "core/support/number_text.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr double RightMargin = 230; // for the labels of lines near the right edge
constexpr double TrackHeight = 15;  // of the labels of vertical lines
constexpr double BottomMargin = 34; // scale
constexpr int64_t KiB = 1024;
constexpr double LeastTick = 88;        // pixels from one label of the scale to the next
constexpr ProgramPoint LeastPoints = 8; // beside static arrays alone
constexpr double OutsideGap = 14;
constexpr double OutsideColumn = 30;
constexpr double MinOutsideHeight = 14;

constexpr llvm::StringLiteral Hatch =
    "<pattern id=\"padding\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" "
    "stroke=\"#767676\" stroke-width=\"2\"/></pattern>\n";

// A shorter stub of a name tells nothing.
constexpr size_t LeastName = 5;

size_t charactersIn(double pixels) {
  return static_cast<size_t>(std::max(0.0, (pixels - 6) / CharacterWidth));
}

// A vertical line at an address, with its label above the plot.
struct Rule {
  int64_t bytes = 0;
  std::string label;
  const char *lineClass = "";
  const char *textClass = "";
  int track = 0; // of the label, upwards from the plot
};

// Names are drawn last, over lines and dividers.
struct Name {
  std::string name;
  std::string range;
  SvgBox box;
};

std::string rangeText(const Placement &placement) {
  return "[" + groupedNumber(placement.offsetBytes) + ", " +
         groupedNumber(placement.offsetBytes + placement.sizeBytes) + ")";
}

// The capacity belongs into the picture, unless the arena would be a sliver beside it.
int64_t scaleEnd(int64_t heightBytes, int64_t capacityBytes) {
  int64_t height = std::max<int64_t>(heightBytes, 1);
  if (capacityBytes > 0 && capacityBytes / 4 <= height)
    return std::max(height, capacityBytes);
  return height + height / 4;
}

class ArenaDrawing {
public:
  explicit ArenaDrawing(const ArenaPicture &picture)
      : picture_(picture), plotWidth_(picture.scale.plotWidth) {
    axis_.labels = picture.labels;
    axis_.loops = picture.loops;
    axis_.count = static_cast<ProgramPoint>(picture.labels.size());
    for (const ArenaBuffer &buffer : picture.problem.buffers)
      for (const LiveInterval &interval : buffer.live)
        axis_.count = std::max(axis_.count, interval.end);
    if (!picture.outside.empty())
      axis_.count = std::max(axis_.count, LeastPoints);
    endBytes_ = picture.scale.endBytes > 0
                    ? picture.scale.endBytes
                    : scaleEnd(picture.plan.heightBytes, picture.problem.capacityBytes);
    addRules();
  }

  SvgDrawing draw() {
    left_ = labelWidth();
    top_ = HeadingHeight + TrackHeight * (trackCount() + 1);
    bottom_ = top_ + axis_.height();
    double width = left_ + plotWidth_ + rightWidth();
    drawHeading(picture_.title, picture_.caption, width, svg_);
    axis_.draw(top_, left_ + plotWidth_, svg_);
    drawScale();
    for (size_t index = 0; index != picture_.problem.buffers.size(); ++index)
      drawBuffer(index);
    svg_.box({left_, top_, plotWidth_, bottom_ - top_}, "class=\"frame\"");
    drawRules();
    drawOutside();
    for (const Name &name : names_)
      drawName(name);
    return {width, bottom_ + BottomMargin, svg_.body()};
  }

  double labelWidth() const { return std::max(axis_.width(), picture_.scale.labelWidth); }
  double rightWidth() const {
    return std::max({RightMargin, outsideWidth(), picture_.scale.rightWidth});
  }

private:
  // Of a small arena there are dozens: those next to its height.
  llvm::ArrayRef<OccupancyStep> nearSteps() const {
    llvm::ArrayRef<OccupancyStep> steps = picture_.steps;
    size_t reached = 0;
    while (reached != steps.size() && steps[reached].dynamicBytes >= picture_.plan.heightBytes)
      ++reached;
    return steps.slice(reached > 2 ? reached - 2 : 0).take_front(4);
  }

  void addRules() {
    int64_t height = picture_.plan.heightBytes, capacity = picture_.problem.capacityBytes;
    rules_.push_back({height, "peak " + groupedNumber(height), "peak", ""});
    if (capacity > 0 && capacity <= endBytes_)
      rules_.push_back(
          {capacity, "capacity " + groupedNumber(capacity), "capacity", "capacity-text"});
    for (const OccupancyStep &step : nearSteps())
      if (step.dynamicBytes != capacity && step.dynamicBytes <= endBytes_)
        rules_.push_back(
            {step.dynamicBytes,
             llvm::formatv("{0} blocks/SM {1}", step.blocks, groupedNumber(step.dynamicBytes)),
             "step", "quiet"});
    std::stable_sort(rules_.begin(), rules_.end(),
                     [](const Rule &a, const Rule &b) { return a.bytes < b.bytes; });
    placeLabels();
  }

  // A label stands to the right of its line, above the labels of the lines that it would cross.
  void placeLabels() {
    for (size_t i = rules_.size(); i-- > 0;)
      for (size_t j = i + 1; j != rules_.size(); ++j) {
        double end = x(rules_[i].bytes) + 8 + widthOf(rules_[i].label);
        if (x(rules_[j].bytes) < end)
          rules_[i].track = std::max(rules_[i].track, rules_[j].track + 1);
      }
  }

  int trackCount() const {
    int count = 0;
    for (const Rule &rule : rules_)
      count = std::max(count, rule.track + 1);
    return count;
  }

  double x(int64_t bytes) const {
    return left_ + plotWidth_ * static_cast<double>(bytes) / static_cast<double>(endBytes_);
  }

  void drawScale() {
    int64_t step = endBytes_ < 10 * KiB ? 1 : KiB;
    while (endBytes_ / step > static_cast<int64_t>(plotWidth_ / LeastTick))
      step *= 2;
    for (int64_t bytes = 0; bytes <= endBytes_; bytes += step) {
      if (bytes > 0 && bytes < endBytes_)
        svg_.line(x(bytes), top_, x(bytes), bottom_, "class=\"grid\"");
      svg_.line(x(bytes), bottom_, x(bytes), bottom_ + 4, "class=\"loop\"");
      std::string label = step < KiB ? groupedNumber(bytes) : std::to_string(bytes / KiB) + " KiB";
      svg_.text(x(bytes), bottom_ + 17, label, "class=\"middle quiet\"");
    }
  }

  void drawRules() {
    int64_t capacity = picture_.problem.capacityBytes;
    if (capacity > 0 && picture_.plan.heightBytes > capacity)
      svg_.box({x(capacity), top_, x(endBytes_) - x(capacity), bottom_ - top_}, "class=\"over\"");
    for (const Rule &rule : rules_) {
      double y = top_ - 5 - TrackHeight * rule.track;
      svg_.line(x(rule.bytes), y - 10, x(rule.bytes), bottom_,
                llvm::formatv("class=\"{0}\"", rule.lineClass).str());
      svg_.text(x(rule.bytes) + 4, y, rule.label,
                llvm::formatv("class=\"{0}\"", rule.textClass).str());
    }
    if (capacity > endBytes_)
      svg_.text(left_ + plotWidth_ + 8, bottom_ - 4,
                "capacity " + groupedNumber(capacity) + " \xE2\x86\x92", "class=\"capacity-text\"");
  }

  void drawBuffer(size_t index) {
    const ArenaBuffer &buffer = picture_.problem.buffers[index];
    const Placement *placement =
        index < picture_.plan.placements.size() ? &picture_.plan.placements[index] : nullptr;
    if (!placement || placement->sizeBytes <= 0)
      return;
    const PictureBuffer look = index < picture_.buffers.size()
                                   ? picture_.buffers[index]
                                   : PictureBuffer{"", hueDegrees({"", buffer.name, 0, ""})};
    std::string title = buffer.name + " " + look.detail + " " + rangeText(*placement) + ", " +
                        groupedNumber(placement->sizeBytes) + " bytes";
    if (placement->paddingBytes > 0)
      title += ", " + groupedNumber(placement->paddingBytes) + " of padding below";
    svg_.beginGroup(title);
    for (const LiveInterval &interval : buffer.live)
      drawInterval(buffer, *placement, look, interval);
    svg_.endGroup();
  }

  void drawInterval(const ArenaBuffer &buffer, const Placement &placement,
                    const PictureBuffer &look, const LiveInterval &interval) {
    double y = top_ + axis_.y(interval.begin);
    double height = std::max(axis_.y(interval.end) - axis_.y(interval.begin), 0.5);
    SvgBox box{x(placement.offsetBytes), y, 0, height};
    box.width = std::max(x(placement.offsetBytes + placement.sizeBytes) - box.x, 0.5);
    Rgb fill = paperFill(look.hueDegrees), edge = fromHsl(look.hueDegrees, 50, 35);
    if (placement.paddingBytes > 0) {
      double from = x(placement.offsetBytes - placement.paddingBytes);
      svg_.box({from, y, box.x - from, height}, "fill=\"url(#padding)\" fill-opacity=\"0.6\"");
    }
    svg_.box(box, llvm::formatv("fill=\"{0}\" stroke=\"{1}\"", toHex(fill), toHex(edge)).str());
    std::string divider = llvm::formatv("stroke=\"{0}\" stroke-opacity=\"0.5\"", toHex(edge));
    for (int64_t version = 1; version < std::min<int64_t>(buffer.versions, 64); ++version) {
      double at = x(placement.offsetBytes + version * buffer.strideBytes);
      svg_.line(at, y, at, y + height, divider);
    }
    names_.push_back({buffer.name, rangeText(placement), box});
  }

  double outsideWidth() const {
    int columns = 0;
    for (const OutsideBox &box : picture_.outside)
      columns = std::max(columns, box.column + 1);
    return columns == 0 ? 0 : OutsideGap + OutsideColumn * columns + OutsideGap;
  }

  // Beside the plot, without a scale: dashed, since nobody knows yet where they lie.
  void drawOutside() {
    for (const OutsideBox &outside : picture_.outside) {
      double left = left_ + plotWidth_ + OutsideGap + OutsideColumn * outside.column;
      std::vector<LiveInterval> live = outside.live;
      if (live.empty())
        live.push_back({0, axis_.count});
      svg_.beginGroup(outside.name + ": " + outside.detail);
      for (const LiveInterval &interval : live) {
        double y = top_ + axis_.y(interval.begin);
        SvgBox box{left, y, OutsideColumn - 6,
                   std::max(top_ + axis_.y(interval.end) - y, MinOutsideHeight)};
        svg_.box(box, llvm::formatv("fill=\"{0}\" stroke=\"{1}\" stroke-dasharray=\"4 3\"",
                                    toHex(paperFill(outside.hueDegrees)),
                                    toHex(fromHsl(outside.hueDegrees, 50, 35)))
                          .str());
        names_.push_back({outside.name + ", " + outside.detail, "", box});
      }
      svg_.endGroup();
    }
  }

  // Name and bytes, the name alone, or the name upright; clipped where neither direction has room
  // for all of it.
  void drawName(const Name &label) {
    const SvgBox &box = label.box;
    double middle = box.x + box.width / 2;
    size_t across = charactersIn(box.width), upright = charactersIn(box.height);
    if (box.height < 14)
      across = 0;
    size_t length = charactersOf(label.name);
    if (box.width < 14)
      upright = 0;
    if (across >= std::min(length, std::max(upright, LeastName))) {
      bool both = charactersOf(label.range) <= across && box.height >= 32;
      double base = box.y + box.height / 2 + (both ? -2 : 4);
      svg_.text(middle, base, clipName(label.name, across), "class=\"middle name\"");
      if (both)
        svg_.text(middle, base + 14, label.range, "class=\"middle name\"");
    } else if (upright >= std::min(length, LeastName)) {
      svg_.verticalText(middle + 4, box.y + box.height / 2, clipName(label.name, upright),
                        "class=\"name\"");
    }
  }

  const ArenaPicture &picture_;
  PointAxis axis_;
  double plotWidth_;
  int64_t endBytes_ = 1; // right end of the scale
  std::vector<Rule> rules_;
  std::vector<Name> names_;
  double left_ = 0, top_ = 0, bottom_ = 0; // of the plot
  SvgWriter svg_;
};

} // namespace

void shareScale(llvm::ArrayRef<ArenaPicture *> pictures, double plotWidth) {
  ArenaScale scale;
  scale.plotWidth = plotWidth;
  int64_t height = 0, capacity = 0;
  for (const ArenaPicture *picture : pictures) {
    height = std::max(height, picture->plan.heightBytes);
    capacity = std::max(capacity, picture->problem.capacityBytes);
  }
  for (const ArenaPicture *picture : pictures) {
    // Where one capacity belongs into the picture all do.
    int64_t end = scaleEnd(height, picture->problem.capacityBytes);
    bool showsCapacity = end == std::max(height, picture->problem.capacityBytes);
    scale.endBytes = std::max({scale.endBytes, end, showsCapacity ? capacity : 0});
    ArenaDrawing drawing(*picture);
    scale.labelWidth = std::max(scale.labelWidth, drawing.labelWidth());
    scale.rightWidth = std::max(scale.rightWidth, drawing.rightWidth());
  }
  for (ArenaPicture *picture : pictures)
    picture->scale = scale;
}

SvgDrawing drawArena(const ArenaPicture &picture) { return ArenaDrawing(picture).draw(); }

std::string arenaSvg(const std::vector<ArenaPicture> &pictures) {
  std::vector<SvgDrawing> drawings(pictures.size());
  std::transform(pictures.begin(), pictures.end(), drawings.begin(), drawArena);
  return pictureDocument(std::move(drawings), Hatch);
}

} // namespace tilescope
