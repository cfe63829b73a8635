#include "core/session/pass_name.h"

#include "core/driver/patched_pipeline.h"

namespace tilescope {

size_t PassFollower::follow(const Trace *before, size_t selected, const Trace &after) {
  PassName pass;
  if (before)
    pass = PassName::of(*before, selected);
  if (missed_ && missed_->shownInstead == selected)
    pass = missed_->pass;
  missed_.reset();
  size_t same = pass.in(after), next = same + 1;
  if (!pass.name.empty() && !pass.find(after))
    missed_ = {pass, same};
  bool isPatch = next < after.passes.size() && after.passes[next].name == PatchPassName;
  return std::exchange(wasEditedHere_, false) && isPatch ? next : same;
}

} // namespace tilescope
