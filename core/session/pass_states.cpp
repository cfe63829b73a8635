#include "core/session/pass_states.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using JoinedFacets = PassStates::JoinedFacets;

bool isReady(const JoinedFacets &joined) {
  return joined.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

} // namespace

bool PassStates::isOf(const Document &document) const {
  return last_ && &last_->trace() == document.trace && revision_ == document.revision;
}

const PassStates::Ahead *PassStates::find(const TraceSnapshot &snapshot) const {
  auto found =
      llvm::find_if(ahead_, [&](const Ahead &one) { return haveSameFacets(one.facets, snapshot); });
  return found == ahead_.end() ? nullptr : &*found;
}

// One that is being joined would have to be waited for.
void PassStates::keepOnly(const std::vector<TraceSnapshot> &wanted) {
  llvm::erase_if(ahead_, [&](const Ahead &one) {
    auto isIt = [&](const TraceSnapshot &other) { return haveSameFacets(one.facets, other); };
    return llvm::none_of(wanted, isIt) && isReady(one.joined);
  });
}

std::shared_ptr<const PassState> PassStates::of(const Document &document, size_t pass) {
  const Trace &trace = *document.trace;
  pass = std::min(pass, trace.passes.size() - 1);
  if (isOf(document) && last_->isOf(pass))
    return last_;
  std::shared_ptr<const FacetState> before = isOf(document) ? last_->facets() : nullptr;
  if (!before)
    ahead_.clear();
  const Ahead *ahead = find(trace.snapshots[trace.passes[pass].snapshot]);
  last_ = std::make_shared<const PassState>(trace, pass, ahead ? ahead->joined.get() : before);
  revision_ = document.revision;
  // The way back is a step too.
  if (before && before != last_->facets() && !find(before->parts()))
    ahead_.push_back({before->parts(), madeAlready(before).value.share(), {}});
  keepOnly(document.ahead);
  return last_;
}

PassStates::JoinedFacets PassStates::ahead(const Document &document, const TraceSnapshot &facets) {
  if (!isOf(document))
    ahead_.clear();
  if (const Ahead *known = find(facets))
    return known->joined;
  auto join = [compile = CompileFacts::of(*document.trace), facets]() mutable {
    return std::make_shared<const FacetState>(std::move(compile), facets);
  };
  MadeApart<std::shared_ptr<const FacetState>> made = makeApart(std::move(join), alarm());
  ahead_.push_back({facets, made.value.share(), std::move(made.thread)});
  return ahead_.back().joined;
}

std::function<void()> PassStates::alarm() {
  if (!alarm_)
    alarm_ = std::make_shared<Alarm>(wake_);
  return [held = alarm_]() mutable { held.reset(); };
}

bool PassStates::isJoined(const Document &document, const TraceSnapshot &facets) {
  return !isOf(document) || haveSameFacets(last_->snapshot(), facets) ||
         isReady(ahead(document, facets));
}

} // namespace tilescope
