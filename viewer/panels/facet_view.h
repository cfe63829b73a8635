// A view of the facets of a snapshot, which most passes leave as they are: after those only its
// text is made anew, by `relabel`. Views of facets that the user may step to soon are built on
// other threads. It keeps the facets, so that no other can lie at their address.
#pragma once

#include "viewer/panels/panel.h"

#include "llvm/ADT/STLExtras.h"

#include <future>

namespace tilescope {

template <typename View> class FacetView {
public:
  // Of the trace only header, launches and the selected state are looked at; and what depends on
  // more than these and the facets is set by `relabel` too.
  using Build = View (*)(const Trace &, const Selection &);
  using Relabel = void (*)(View &, const Trace &, const Selection &);

  const View &get(const PanelContext &context, Build build, Relabel relabel) {
    const Document &document = context.document;
    PassKey pass = PassKey::of(context);
    if (!view_ || !(pass == pass_)) {
      const TraceSnapshot &snapshot =
          document.trace->snapshots[document.trace->passes[pass.pass].snapshot];
      update(document, pass, Facets::of(snapshot), build, relabel, context.selection);
    }
    prepare(document, build);
    return *view_;
  }

private:
  struct Facets {
    SharedPart<BufferRecord> buffers;
    SharedPart<AccessRecord> accesses;
    SharedPart<ArenaRecord> arenas;

    static Facets of(const TraceSnapshot &snapshot) {
      return {snapshot.buffers, snapshot.accesses, snapshot.arenas};
    }
    friend bool operator==(const Facets &, const Facets &) = default;
  };
  struct Prepared {
    uint64_t revision;
    Facets facets;
    std::future<std::unique_ptr<View>> view;
  };

  void update(const Document &document, PassKey pass, Facets facets, Build build, Relabel relabel,
              const Selection &selection) {
    bool isSame = view_ && pass.revision == pass_.revision && facets == facets_;
    auto prepared = llvm::find_if(prepared_, [&](const Prepared &one) {
      return one.revision == pass.revision && one.facets == facets;
    });
    bool isPrepared = prepared != prepared_.end();
    if (!isSame && isPrepared) {
      view_ = prepared->view.get();
      prepared_.erase(prepared);
    }
    if (isSame || isPrepared)
      relabel(*view_, *document.trace, selection);
    else
      view_ = std::make_unique<View>(build(*document.trace, selection));
    pass_ = pass;
    facets_ = std::move(facets);
  }

  void prepare(const Document &document, Build build) {
    // One that still runs would have to be waited for.
    llvm::erase_if(prepared_, [&](const Prepared &one) {
      bool isWanted = llvm::any_of(document.ahead, [&](const TraceSnapshot &snapshot) {
        return one.revision == document.revision && one.facets == Facets::of(snapshot);
      });
      return !isWanted && one.view.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    for (const TraceSnapshot &snapshot : document.ahead) {
      Facets facets = Facets::of(snapshot);
      bool isKnown = (facets == facets_ && document.revision == pass_.revision) ||
                     llvm::any_of(prepared_, [&](const Prepared &one) {
                       return one.revision == document.revision && one.facets == facets;
                     });
      if (!isKnown)
        prepared_.push_back(
            {document.revision, facets,
             std::async(std::launch::async, buildOf, stateOf(document, snapshot), build)});
    }
  }

  // A trace of one state, that no other thread has.
  static Trace stateOf(const Document &document, const TraceSnapshot &snapshot) {
    Trace trace;
    trace.header.target = document.trace->header.target;
    trace.header.capacityBytes = document.trace->header.capacityBytes;
    trace.launches = document.trace->launches;
    trace.passes.emplace_back();
    trace.snapshots.push_back(snapshot);
    return trace;
  }
  static std::unique_ptr<View> buildOf(Trace trace, Build build) {
    return std::make_unique<View>(build(trace, Selection()));
  }

  PassKey pass_;
  Facets facets_;
  std::unique_ptr<View> view_;
  std::vector<Prepared> prepared_;
};

} // namespace tilescope
