#include "core/views/pictures.h"

#include "core/exports/arena_svg.h"
#include "core/exports/lifetimes_svg.h"
#include "core/exports/stages_svg.h"
#include "core/exports/timeline_svg.h"
#include "core/views/arena_model.h"
#include "core/views/stages_model.h"
#include "core/views/timeline_model.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

ArenaPicture pictureOfArena(const Trace &trace, const TraceSnapshot &snapshot,
                            const ArenaRecord &arena) {
  ArenaPicture picture = arenaPictureOf(trace, snapshot, arena);
  picture.caption = certificateText(arena);
  if (std::optional<OccupancyView> occupancy = occupancyOf(trace, arena))
    picture.caption += "; " + toText(*occupancy);
  return picture;
}

// Functions with an arena come first, those with nothing but static arrays after them.
std::vector<ArenaPicture> arenaPictures(const Trace &trace, const Selection &selection) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  const std::vector<ArenaRecord> &arenas = *snapshot.arenas;
  std::vector<ArenaPicture> pictures;
  for (const ArenaRecord &arena : arenas)
    pictures.push_back(pictureOfArena(trace, snapshot, arena));
  ArenaView view = buildArena(trace, selection);
  for (size_t i = arenas.size(); i < view.functions.size(); ++i) {
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
  return arenaSvg(arenaPictures(trace, selection));
}

std::string drawLifetimes(const Trace &trace, const Selection &selection) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  std::vector<LifetimesPicture> pictures;
  for (const AccessRecord &accesses : *snapshot.accesses) {
    pictures.push_back(lifetimesPictureOf(trace, snapshot, accesses));
    pictures.back().title += ", after " + selectedPlace(trace, selection);
  }
  return lifetimesSvg(pictures);
}

std::string drawStages(const Trace &trace, const Selection &selection) {
  const TraceSnapshot &snapshot = selectedSnapshot(trace, selection);
  std::vector<StagesPicture> pictures;
  StagesView view = buildStages(trace, selection);
  for (StagesLoop &loop : view.loops) {
    std::string line = loop.sourceLine ? ", line " + std::to_string(loop.sourceLine) : "";
    std::string heading = headingOf(loop);
    StagesPicture &picture =
        pictures.emplace_back(stagesPictureOf(snapshot, std::move(loop.stages)));
    picture.title = picture.stages.function + line + ", after " + selectedPlace(trace, selection);
    picture.caption = heading + "; D filled, U read, X changed; light: a copy is in flight";
  }
  return stagesSvg(pictures, view.summary);
}

std::string drawTimeline(const Trace &trace, const Selection &selection) {
  TimelinePicture picture = timelinePictureOf(trace);
  picture.caption = peakText(buildTimeline(trace, selection));
  return timelineSvg(picture);
}

const PictureInfo Pictures[] = {
    {"arena", drawArenas},
    {"lifetimes", drawLifetimes},
    {"stages", drawStages},
    {"timeline", drawTimeline},
};

} // namespace

ArenaPair drawArenaPair(const Trace &before, const Trace &after) {
  constexpr double PlotWidth = 480; // two fit on a wide page
  Selection last;
  last.pass = before.passes.size() - 1;
  std::vector<ArenaPicture> left = arenaPictures(before, last);
  last.pass = after.passes.size() - 1;
  std::vector<ArenaPicture> right = arenaPictures(after, last);
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
