#include "core/analysis/uninitialised_elements.h"

#include "core/analysis/element_walk.h"

namespace tilescope {

std::vector<UninitialisedElement> computeUninitialisedElements(Context &context,
                                                               const Function &function) {
  return ElementWalk(context, function).run();
}

} // namespace tilescope
