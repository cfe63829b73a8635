#include "core/session/pass_states.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

using JoinedFacets = PassStates::JoinedFacets;

std::shared_ptr<const FacetState> joinOf(CompileFacts compile, const TraceSnapshot &snapshot) {
  return std::make_shared<const FacetState>(std::move(compile), snapshot);
}

JoinedFacets joinedAlready(std::shared_ptr<const FacetState> facets) {
  std::promise<std::shared_ptr<const FacetState>> promise;
  promise.set_value(std::move(facets));
  return promise.get_future();
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
    return llvm::none_of(wanted, isIt) &&
           one.joined.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
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
    ahead_.push_back({before->parts(), joinedAlready(before)});
  keepOnly(document.ahead);
  return last_;
}

PassStates::JoinedFacets PassStates::ahead(const Document &document, const TraceSnapshot &facets) {
  if (!isOf(document))
    ahead_.clear();
  if (const Ahead *known = find(facets))
    return known->joined;
  ahead_.push_back(
      {facets, std::async(std::launch::async, joinOf, CompileFacts::of(*document.trace), facets)});
  return ahead_.back().joined;
}

} // namespace tilescope
