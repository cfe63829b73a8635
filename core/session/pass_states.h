// The joined state of the pass that is shown: made when it is first asked for, kept until that of
// another is. Of a pass with the same facets it is made from what is joined already.
#pragma once

#include "core/session/document.h"
#include "core/trace/pass_state.h"

namespace tilescope {

class PassStates {
public:
  // The document has a trace, which outlives what is given.
  std::shared_ptr<const PassState> of(const Document &document, size_t pass);

private:
  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> last_;
};

} // namespace tilescope
