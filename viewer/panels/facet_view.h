// A view of the facets of a pass, which most passes leave as they are: after those only what the
// facets do not say is added anew, by `complete`. Views of facets that the user may step to soon
// are built on other threads.
#pragma once

#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

#include <future>

namespace tilescope {

template <typename View> class FacetView {
public:
  using Build = View (*)(const FacetState &);
  using Complete = void (*)(View &, const PassState &);

  const View &get(const PanelContext &context, Build build, Complete complete) {
    std::shared_ptr<const PassState> state = context.state();
    if (state != shown_)
      show(context.document.revision, std::move(state), build, complete);
    prepare(context.document, build);
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
    if (!isSame && prepared != prepared_.end()) {
      view_ = prepared->view.get();
      prepared_.erase(prepared);
    } else if (!isSame) {
      view_ = std::make_unique<View>(build(*state->facets()));
    }
    complete(*view_, *state);
    shown_ = std::move(state);
    revision_ = revision;
  }

  void prepare(const Document &document, Build build) {
    // One that still runs would have to be waited for.
    llvm::erase_if(prepared_, [&](const Prepared &one) {
      bool isWanted = llvm::any_of(document.ahead, [&](const TraceSnapshot &snapshot) {
        return one.isOf(document.revision, snapshot);
      });
      return !isWanted && one.view.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    for (const TraceSnapshot &snapshot : document.ahead) {
      bool isKnown = haveSameFacets(shown_->snapshot(), snapshot) ||
                     llvm::any_of(prepared_, [&](const Prepared &one) {
                       return one.isOf(document.revision, snapshot);
                     });
      if (!isKnown)
        prepared_.push_back({document.revision, snapshot,
                             std::async(std::launch::async, buildOf,
                                        CompileFacts::of(*document.trace), snapshot, build)});
    }
  }

  static std::unique_ptr<View> buildOf(CompileFacts compile, const TraceSnapshot &snapshot,
                                       Build build) {
    return std::make_unique<View>(build(FacetState(std::move(compile), snapshot)));
  }

  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> shown_;
  std::unique_ptr<View> view_;
  std::vector<Prepared> prepared_;
};

} // namespace tilescope
