// A view of the facets of a pass, which most passes leave as they are: after those only what the
// facets do not say is added anew, by `complete`. Views of facets that the user may step to soon
// are built on other threads, and one that was just left is kept for as long as it is a step away.
#pragma once

#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <future>
#include <iterator>

namespace tilescope {

template <typename View> class FacetView {
public:
  using Build = View (*)(const FacetState &);
  using Complete = void (*)(View &, const PassState &);

  const View &get(const PanelContext &context, Build build, Complete complete) {
    std::shared_ptr<const PassState> state = context.state();
    if (state != shown_)
      show(context.document.revision, std::move(state), build, complete);
    prepare(context, build);
    return *view_;
  }

private:
  // It keeps the facets, so that no others can lie at their address.
  struct Prepared {
    uint64_t revision;
    TraceSnapshot facets;
    std::future<std::unique_ptr<View>> view;

    bool isOf(uint64_t wanted, const TraceSnapshot &snapshot) const {
      return revision == wanted && haveSameFacets(facets, snapshot);
    }
  };

  void show(uint64_t revision, std::shared_ptr<const PassState> state, Build build,
            Complete complete) {
    bool isSame = shown_ && revision == revision_ && state->facets() == shown_->facets();
    auto prepared = llvm::find_if(
        prepared_, [&](const Prepared &one) { return one.isOf(revision, state->snapshot()); });
    std::unique_ptr<View> left = isSame ? nullptr : std::move(view_);
    if (!isSame && prepared != prepared_.end()) {
      view_ = prepared->view.get();
      prepared_.erase(prepared);
    } else if (!isSame) {
      view_ = std::make_unique<View>(build(*state->facets()));
    }
    complete(*view_, *state);
    if (left && revision == revision_)
      prepared_.push_back({revision, shown_->facets()->parts(), builtAlready(std::move(left))});
    shown_ = std::move(state);
    revision_ = revision;
  }

  void prepare(const PanelContext &context, Build build) {
    const Document &document = context.document;
    // One that still runs would have to be waited for.
    auto isKept = [&](const Prepared &one) {
      return one.view.wait_for(std::chrono::seconds(0)) != std::future_status::ready ||
             llvm::any_of(document.ahead, [&](const TraceSnapshot &snapshot) {
               return one.isOf(document.revision, snapshot);
             });
    };
    auto left = std::stable_partition(prepared_.begin(), prepared_.end(), isKept);
    if (left != prepared_.end())
      drop({std::make_move_iterator(left), std::make_move_iterator(prepared_.end())});
    prepared_.erase(left, prepared_.end());
    for (const TraceSnapshot &snapshot : document.ahead) {
      bool isKnown = haveSameFacets(shown_->snapshot(), snapshot) ||
                     llvm::any_of(prepared_, [&](const Prepared &one) {
                       return one.isOf(document.revision, snapshot);
                     });
      if (!isKnown)
        prepared_.push_back({document.revision, snapshot,
                             std::async(std::launch::async, buildOf,
                                        context.states.ahead(document, snapshot), build)});
    }
  }

  // Facets of a large trace are freed for longer than a frame takes.
  void drop(std::vector<Prepared> left) {
    dropping_ =
        std::async(std::launch::async, [left = std::move(left)]() mutable { left.clear(); });
  }

  static std::unique_ptr<View> buildOf(const PassStates::JoinedFacets &facets, Build build) {
    return std::make_unique<View>(build(*facets.get()));
  }

  static std::future<std::unique_ptr<View>> builtAlready(std::unique_ptr<View> view) {
    std::promise<std::unique_ptr<View>> promise;
    promise.set_value(std::move(view));
    return promise.get_future();
  }

  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> shown_;
  std::unique_ptr<View> view_;
  std::vector<Prepared> prepared_;
  std::future<void> dropping_;
};

} // namespace tilescope
