#include "core/views/why_launch_model.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

struct LaunchSizedPlace {
  const FunctionState *function = nullptr;
  const LaunchSizedBuffer *buffer = nullptr;
};

// The first of the name: keys tell those of several kernels apart.
std::optional<LaunchSizedPlace> find(const PassState &state, llvm::StringRef name) {
  for (const FunctionState &function : state.functions()) {
    if (!function.arena)
      continue;
    for (const LaunchSizedBuffer &buffer : function.arena->launchSized) {
      const BufferRecord *record = state.facets()->declaration(buffer.id);
      if (buffer.name == name || (record && toString(record->key) == name))
        return LaunchSizedPlace{&function, &buffer};
    }
  }
  return std::nullopt;
}

struct Described {
  const FunctionState *function = nullptr;
  WhyLaunchBuffer buffer;
};

llvm::Expected<Described> describe(const PassState &state, const std::string &name) {
  if (std::optional<LaunchSizedPlace> place = find(state, name)) {
    const LaunchSizedBuffer &sized = *place->buffer;
    Described result{place->function, {sized.name, sized.region, sized.versions, sized.live, {}}};
    for (const LaunchSizedBuffer &other : place->function->arena->launchSized)
      if (other.region == sized.region && other.id != sized.id)
        result.buffer.sharesWith.push_back(other.name);
    return result;
  }
  llvm::Expected<ArenaBufferPlace> place = findArenaBuffer(state, name);
  if (!place)
    return place.takeError();
  WhyBuffer planned = ArenaFacts(state, *place->function).describe(place->id);
  return Described{place->function,
                   {planned.name, std::nullopt, planned.versions, planned.live, {}}};
}

std::string placeOf(const WhyLaunchBuffer &buffer) {
  if (!buffer.region)
    return buffer.name + " has a place in the plan";
  return llvm::formatv("{0} is sized at launch and lies in region {1}, above the plan", buffer.name,
                       *buffer.region);
}

std::string answerOf(const WhyLaunchView &view) {
  if (!view.second)
    return placeOf(view.first) +
           (view.first.sharesWith.empty()
                ? ": it shares no bytes"
                : ": it shares bytes with " + llvm::join(view.first.sharesWith, ", "));
  std::string pair = view.first.name + " and " + view.second->name;
  if (view.relation == "share")
    return llvm::formatv("{0} share launch region {1}: they are never live together", pair,
                         *view.first.region);
  std::string places = placeOf(view.first) + "; " + placeOf(*view.second);
  if (view.relation == "conflict")
    return llvm::formatv("{0} cannot share bytes: both are live at {1}\n  {2}", pair,
                         toText(view.together), places);
  return pair + " share no bytes, though they are never live together\n  " + places;
}

} // namespace

bool isSizedAtLaunch(const PassState &state, llvm::StringRef name) {
  return find(state, name).has_value();
}

llvm::Expected<WhyLaunchView> buildWhyLaunch(const PassState &state,
                                             const std::vector<std::string> &names) {
  WhyLaunchView view;
  llvm::Expected<Described> first = describe(state, names[0]);
  if (!first)
    return first.takeError();
  view.context = ArenaFacts(state, *first->function).context();
  view.first = std::move(first->buffer);
  if (names.size() == 1)
    return view;
  llvm::Expected<Described> second = describe(state, names[1]);
  if (!second)
    return second.takeError();
  if (second->function != first->function || names[0] == names[1])
    return llvm::createStringError("'" + names[0] + "' and '" + names[1] +
                                   "' are not two buffers of one kernel");
  view.second = std::move(second->buffer);
  view.together = intersect(view.first.live, view.second->live);
  bool inOneRegion = view.first.region && view.first.region == view.second->region;
  view.relation = inOneRegion ? "share" : view.together.empty() ? "apart" : "conflict";
  return view;
}

void print(const WhyLaunchView &view, llvm::raw_ostream &out) {
  printContext(view.context, out);
  out << answerOf(view) << '\n';
}

} // namespace tilescope
