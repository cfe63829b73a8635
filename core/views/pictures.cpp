#include "core/views/pictures.h"

#include "core/exports/arena_svg.h"
#include "core/exports/layout_svg.h"
#include "core/exports/lifetimes_svg.h"
#include "core/exports/stages_svg.h"
#include "core/exports/timeline_svg.h"
#include "core/views/arena_model.h"
#include "core/views/layouts_model.h"
#include "core/views/stages_model.h"
#include "core/views/timeline_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

ArenaPicture pictureOfArena(const PassState &state, const FunctionState &function) {
  ArenaPicture picture = arenaPictureOf(state, function);
  picture.caption = certificateText(*function.arena);
  if (std::optional<OccupancyView> occupancy = occupancyOf(*state.facets(), function))
    picture.caption += "; " + toText(*occupancy);
  return picture;
}

// Functions with an arena come first, those with nothing but static arrays after them.
std::vector<ArenaPicture> arenaPictures(const PassState &state) {
  std::vector<ArenaPicture> pictures;
  for (const FunctionState &function : state.functions())
    if (function.arena)
      pictures.push_back(pictureOfArena(state, function));
  ArenaView view = buildArena(state);
  for (size_t i = pictures.size(); i < view.functions.size(); ++i) {
    ArenaPicture &picture = pictures.emplace_back();
    picture.title = view.functions[i].function;
    picture.caption = view.functions[i].certificate;
    picture.outside = std::move(view.functions[i].outside);
  }
  for (ArenaPicture &picture : pictures)
    picture.title += ", after " + view.pass;
  return pictures;
}

std::string drawArenas(const Trace &trace, const Selection &selection) {
  return arenaSvg(arenaPictures(PassState(trace, selection.pass)));
}

std::string drawLifetimes(const Trace &trace, const Selection &selection) {
  PassState state(trace, selection.pass);
  std::vector<LifetimesPicture> pictures;
  for (const FunctionState &function : state.functions()) {
    if (!function.accesses)
      continue;
    pictures.push_back(lifetimesPictureOf(state, function));
    pictures.back().title += ", after " + state.place();
  }
  return lifetimesSvg(pictures);
}

RolePicture pictureOfRole(const StagesRole &role, llvm::StringRef place) {
  RolePicture picture;
  picture.title = (titleOf(role) + ", after " + place).str();
  picture.caption = headingOf(role) + "; " + RolesLegend;
  picture.columns = role.columns;
  picture.refusal = role.refusal;
  for (const StagesRoleRow &row : role.rows)
    picture.rows.push_back({row.text, row.sourceLine, row.statement,
                            row.action == RoleAction::Waits, row.buffer.isValid(), row.hueDegrees,
                            row.cells});
  return picture;
}

std::string drawStages(const Trace &trace, const Selection &selection) {
  PassState state(trace, selection.pass);
  std::vector<StagesPicture> pictures;
  StagesView view = buildStages(state);
  for (StagesLoop &loop : view.loops) {
    if (loop.stages.isInRole)
      continue;
    std::string line = lineText(", line ", loop.sourceLine);
    std::string heading = headingOf(loop);
    StagesPicture &picture =
        pictures.emplace_back(stagesPictureOf(*state.facets(), std::move(loop.stages)));
    picture.title = picture.stages.function + line + ", after " + state.place();
    picture.caption = heading + "; D filled, U read, X changed; light: a copy is in flight";
  }
  std::vector<RolePicture> roles;
  roles.reserve(view.roles.size());
  for (const StagesRole &role : view.roles)
    roles.push_back(pictureOfRole(role, state.place()));
  return stagesSvg(pictures, roles, view.summary);
}

std::string drawTimeline(const Trace &trace, const Selection &selection) {
  TimelinePicture picture = timelinePictureOf(trace);
  picture.caption = peakText(buildTimeline(trace, selection));
  return timelineSvg(picture);
}

// As the text shows it.
LayoutPicture pictureOfLayout(const LayoutOfBuffer &buffer, const TileLayout &tile,
                              const LayoutSide *side, int64_t laneBytes) {
  LayoutPicture picture;
  int64_t step = tile.isFragment() ? 1 : tile.chunkElements();
  picture.rows = static_cast<int64_t>(buffer.rows.size());
  picture.columns = std::min(static_cast<int64_t>(buffer.columns.size()) * step, tile.columns());
  for (int64_t row = 0; row != picture.rows; ++row)
    for (int64_t column = 0; column < picture.columns; column += step) {
      LayoutCell cell{row, column, std::min(step, picture.columns - column), 0,
                      cellText(tile, row, column)};
      if (tile.isFragment())
        cell.hueDegrees = hueOfNumber(tile.holderOf(row, column).thread, tile.threads());
      else if (std::optional<int64_t> byte = tile.byteOf(row * tile.columns() + column))
        cell.hueDegrees = tile.hasSectors() ? hueOfNumber(sectorOf(*byte) % 4, 4)
                                            : hueOfNumber(bankOf(*byte), SharedBanks);
      picture.cells.push_back(std::move(cell));
    }
  for (const LayoutLane &lane : side ? side->lanes : std::vector<LayoutLane>())
    picture.marks.push_back({lane.row, lane.column,
                             std::max<int64_t>(1, laneBytes * 8 / tile.elementBits()),
                             std::to_string(lane.lane), lane.isInConflict});
  return picture;
}

std::string drawLayouts(const Trace &trace, const Selection &selection) {
  LayoutsView view = buildLayouts(trace, selection);
  std::vector<LayoutPicture> pictures;
  auto add = [&](const LayoutOfBuffer &buffer, const TileLayout &tile, llvm::StringRef layout,
                 const LayoutSide *side) {
    pictures.push_back(pictureOfLayout(buffer, tile, side, view.lanes ? view.lanes->laneBytes : 0));
    LayoutPicture &picture = pictures.back();
    picture.title =
        (buffer.name + ": " + buffer.type + ", " + layout + ", after " + view.pass).str();
    picture.caption = buffer.cells + (buffer.isPart ? ", in part" : "");
    if (side)
      picture.caption += "; " + whoseText(*view.lanes, buffer) + ": " + countText(*side);
  };
  for (const LayoutOfBuffer &buffer : view.buffers) {
    if (!buffer.tile)
      continue;
    add(buffer, *buffer.tile, buffer.layout.empty() ? "row_major" : buffer.layout,
        view.lanes ? &view.lanes->asLaid : nullptr);
    if (view.lanes && view.lanes->inRows)
      add(buffer, buffer.tile->inRows(), view.lanes->inRows->layout, &*view.lanes->inRows);
  }
  return layoutSvg(pictures,
                   view.summary.empty() ? "no layout whose places are known" : view.summary);
}

const PictureInfo Pictures[] = {
    {"arena", drawArenas},  {"layouts", drawLayouts},   {"lifetimes", drawLifetimes},
    {"stages", drawStages}, {"timeline", drawTimeline},
};

} // namespace

ArenaPictures drawArenaPictures(const Trace &before, const Trace &after) {
  constexpr double PlotWidth = 480; // two fit on a wide page
  std::vector<ArenaPicture> left = arenaPictures(PassState(before, before.passes.size() - 1));
  std::vector<ArenaPicture> right = arenaPictures(PassState(after, after.passes.size() - 1));
  std::vector<ArenaPicture *> all;
  for (std::vector<ArenaPicture> *side : {&left, &right})
    for (ArenaPicture &picture : *side)
      all.push_back(&picture);
  shareScale(all, PlotWidth);
  return {arenaSvg(left), arenaSvg(right)};
}

llvm::ArrayRef<PictureInfo> allPictures() { return Pictures; }

const PictureInfo *pictureOf(llvm::StringRef view) {
  const PictureInfo *found =
      llvm::find_if(Pictures, [&](const PictureInfo &picture) { return picture.name == view; });
  return found == std::end(Pictures) ? nullptr : found;
}

} // namespace tilescope
