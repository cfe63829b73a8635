// A view of the facets of a pass, which most passes leave as they are: after those only what the
// facets do not say is added anew, by `complete`. Views of facets that the user may step to soon
// are built on other threads, and one that was just left is kept for as long as it is a step away.
#pragma once

#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
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

  // As Panel::isReady.
  bool isReady(uint64_t revision, const TraceSnapshot &facets) const {
    if (!shown_ || revision != revision_ || haveSameFacets(shown_->snapshot(), facets))
      return true;
    auto prepared =
        llvm::find_if(prepared_, [&](const Prepared &one) { return one.isOf(revision, facets); });
    return prepared != prepared_.end() && prepared->view.isReady();
  }

private:
  // It keeps the facets, so that no others can lie at their address.
  struct Prepared {
    uint64_t revision;
    TraceSnapshot facets;
    MadeApart<std::unique_ptr<View>> view;

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
      view_ = prepared->view.value.get();
      prepared_.erase(prepared);
    } else if (!isSame) {
      view_ = std::make_unique<View>(build(*state->facets()));
    }
    complete(*view_, *state);
    if (left && revision == revision_)
      prepared_.push_back({revision, shown_->facets()->parts(), madeAlready(std::move(left))});
    shown_ = std::move(state);
    revision_ = revision;
  }

  void prepare(const PanelContext &context, Build build) {
    const Document &document = context.document;
    // One that still runs would have to be waited for.
    auto isKept = [&](const Prepared &one) {
      return !one.view.isReady() ||
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
        prepared_.push_back(
            {document.revision, snapshot,
             makeApart([joined = context.states.ahead(document, snapshot),
                        build] { return std::make_unique<View>(build(*joined.get())); },
                       context.states.alarm())});
    }
  }

  // Facets of a large trace are freed for longer than a frame takes.
  void drop(std::vector<Prepared> left) {
    dropping_ =
        std::async(std::launch::async, [left = std::move(left)]() mutable { left.clear(); });
  }

  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> shown_;
  std::unique_ptr<View> view_;
  std::vector<Prepared> prepared_;
  std::future<void> dropping_;
};

} // namespace tilescope
