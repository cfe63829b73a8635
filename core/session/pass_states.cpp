#include "core/session/pass_states.h"

namespace tilescope {

std::shared_ptr<const PassState> PassStates::of(const Document &document, size_t pass) {
  const Trace &trace = *document.trace;
  bool isSameTrace = last_ && &last_->trace() == &trace && revision_ == document.revision;
  pass = std::min(pass, trace.passes.size() - 1);
  if (isSameTrace && last_->isOf(pass))
    return last_;
  last_ = std::make_shared<const PassState>(trace, pass, isSameTrace ? last_->facets() : nullptr);
  revision_ = document.revision;
  return last_;
}

} // namespace tilescope
