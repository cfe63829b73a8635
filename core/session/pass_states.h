// The joined state of the pass that is shown: made when it is first asked for, kept until that of
// another is. Of a pass with the same facets it is made from what is joined already, and facets
// that the user may step to soon are joined on another thread.
#pragma once

#include "core/session/document.h"
#include "core/trace/pass_state.h"

#include <future>

namespace tilescope {

class PassStates {
public:
  // The document has a trace, which outlives what is given.
  std::shared_ptr<const PassState> of(const Document &document, size_t pass);

  using JoinedFacets = std::shared_future<std::shared_ptr<const FacetState>>;
  // Of one of Document::ahead, once for all who ask. Any thread may wait for it.
  JoinedFacets ahead(const Document &document, const TraceSnapshot &facets);

private:
  struct Ahead {
    TraceSnapshot facets;
    JoinedFacets joined;
  };
  bool isOf(const Document &document) const;
  const Ahead *find(const TraceSnapshot &snapshot) const;
  void keepOnly(const std::vector<TraceSnapshot> &wanted);

  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> last_;
  std::vector<Ahead> ahead_;
};

} // namespace tilescope
