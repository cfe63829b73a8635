// Panel `history`: a bar for each commit that changed the kernel's file, newest right. A click
// compares with it.
#include "core/views/history_model.h"
#include "viewer/panels/widgets/picture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr float WidestColumn = 12; // digits

std::string bytesText(const HistoryRow &row) {
  if (!row.bytes)
    return "";
  std::string delta = row.deltaBytes ? " (" + signedNumber(row.deltaBytes) + ")" : "";
  return llvm::formatv("arena {0}{1} bytes, {2} live where most is",
                       groupedNumber(row.bytes->arenaBytes), delta,
                       groupedNumber(row.bytes->liveBytes));
}

std::string headline(const HistoryView &view) {
  size_t commits = view.rows.size() - 1;
  auto pending = llvm::count_if(view.rows, [](const HistoryRow &row) { return row.isPending; });
  std::string text =
      llvm::formatv("{0} {1} changed the file", commits, commits == 1 ? "commit" : "commits");
  if (pending > 0)
    text += llvm::formatv("; compiling {0} of them ...", pending).str();
  return text + "; a click compares";
}

//     | 80 KiB          |
//     | ####    160 KiB |
//     | ####  --------- |  <- what is live where most is
//     | ####    ####### |
//     | 1a2b3c4d   open |
class HistoryPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    const std::shared_ptr<const KernelHistory> &history = context.document.history;
    if (!history)
      return drawEmpty(context, "Looking for the commits of the kernel's file ...",
                       "They are read with git and compiled as the kernel is.");
    const HistoryView &view = view_.get({context.document.revision, history}, [&] {
      return buildHistory(*context.document.trace, *history);
    });
    if (!view.missing.empty())
      return drawEmpty(context, "There is no history: " + view.missing,
                       "It is that of a kernel file in a git repository.");
    if (view.rows.size() == 1)
      return drawEmpty(context, "No commit has changed the kernel's file.",
                       "It is not in the git repository that it lies in.");
    Picture picture(context.theme);
    drawWrapped(headline(view), picture.color(Meaning::Quiet));
    place(view, picture);
    for (size_t i = 0; i != view.rows.size(); ++i)
      drawColumn(view.rows[i], columnAt(i), context, picture);
    if (view.capacityBytes > 0 && view.capacityBytes <= mostBytes_)
      picture.horizontal(area_.min.x, area_.max.x, pixelOf(view.capacityBytes),
                         picture.color(Meaning::Capacity));
  }

private:
  struct Key {
    uint64_t revision = 0;
    std::shared_ptr<const KernelHistory> history;

    friend bool operator==(const Key &, const Key &) = default;
  };

  // Bars stand in [top of the area + a line, bottom - a line).
  void place(const HistoryView &view, const Picture &picture) {
    ImVec2 min = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    auto count = static_cast<float>(view.rows.size());
    column_ = std::min(room.x / count, WidestColumn * picture.character);
    area_ = {min, ImVec2(min.x + column_ * count, min.y + room.y)};
    line_ = picture.line;
    mostBytes_ = std::max<int64_t>(view.mostBytes, 1);
  }

  Box columnAt(size_t i) const {
    float left = area_.min.x + column_ * static_cast<float>(i);
    return {ImVec2(left, area_.min.y), ImVec2(left + column_, area_.max.y)};
  }

  float pixelOf(int64_t bytes) const {
    float top = area_.min.y + line_, bottom = area_.max.y - line_;
    double share = static_cast<double>(bytes) / static_cast<double>(mostBytes_);
    return bottom - static_cast<float>(share) * std::max(bottom - top, 0.0F);
  }

  void drawColumn(const HistoryRow &row, const Box &column, PanelContext &context,
                  const Picture &p) const {
    bool isCommit = row.commit != OpenKernel;
    ImGui::SetCursorScreenPos(column.min);
    ImGui::PushID(row.commit.c_str());
    bool isClicked = ImGui::InvisibleButton(
        "commit", ImVec2(std::max(column.width(), 1.0F), std::max(column.height(), 1.0F)));
    bool isHovered = ImGui::IsItemHovered();
    context.places.note("commit " + row.commit);
    ImGui::PopID();
    if (isClicked && isCommit)
      context.kernel.compareWith(row.commit);
    if (isHovered)
      p.fill(column, p.color(Meaning::Hovered));
    if (isCommit && context.document.other && context.document.otherFile == row.commit)
      p.fill(column, p.color(Meaning::Selected));
    if (isCommit && context.document.comparing == row.commit)
      p.dashedOutline(column, p.color(Meaning::Accent));
    drawBar(row, column, p);
    if (!isHovered)
      return;
    std::vector<std::string> lines = {row.title.empty() ? row.commit
                                                        : row.commit + "  " + row.title};
    for (const std::string &line :
         {bytesText(row), row.error, std::string(row.isPending ? "compiling ..." : "")})
      if (!line.empty())
        lines.push_back(line);
    showDetails(context.theme, lines);
  }

  void drawBar(const HistoryRow &row, const Box &column, const Picture &p) const {
    float inset = std::min(4 * p.scale, column.width() / 6), bottom = column.max.y - line_;
    float left = column.min.x + inset, right = column.max.x - inset;
    p.centeredLabel({ImVec2(column.min.x, bottom), column.max}, row.commit,
                    p.color(Meaning::Quiet));
    p.horizontal(column.min.x, column.max.x, bottom, p.color(Meaning::Border));
    if (!row.bytes) {
      Box place{ImVec2(left, bottom - line_), ImVec2(right, bottom)};
      if (row.isPending)
        p.dashedOutline(place, p.color(Meaning::Quiet));
      else
        p.hatch(place, p.color(Meaning::Bad));
      return;
    }
    Box bar{ImVec2(left, pixelOf(row.bytes->arenaBytes)), ImVec2(right, bottom)};
    p.fill(bar, p.color(Meaning::Accent, row.commit == OpenKernel ? 0.8F : 0.5F));
    p.horizontal(left, right, pixelOf(row.bytes->liveBytes), p.color(Meaning::Text), 2);
    Box above{ImVec2(column.min.x, bar.min.y - line_), ImVec2(column.max.x, bar.min.y)};
    p.centeredLabel(above, kibText(row.bytes->arenaBytes),
                    p.color(row.deltaBytes ? Meaning::Notice : Meaning::Text));
  }

  CachedView<HistoryView, Key> view_;
  Box area_;
  float column_ = 1, line_ = 1;
  int64_t mostBytes_ = 1;
};

} // namespace

std::unique_ptr<Panel> makeHistoryPanel() { return std::make_unique<HistoryPanel>(); }

} // namespace tilescope
