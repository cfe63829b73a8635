// A pass by name, so that it is found in another trace of the kernel.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

struct PassName {
  std::string name;
  size_t occurrence = 0; // which of that name, from 0

  static PassName of(const Trace &trace, size_t pass) {
    PassName result;
    if (pass >= trace.passes.size())
      return result;
    result.name = trace.passes[pass].name;
    for (size_t i = 0; i < pass; ++i)
      result.occurrence += trace.passes[i].name == result.name;
    return result;
  }

  std::optional<size_t> find(const Trace &trace) const {
    size_t left = occurrence;
    for (size_t i = 0; i < trace.passes.size(); ++i)
      if (trace.passes[i].name == name && left-- == 0)
        return i;
    return std::nullopt;
  }
  // The last pass if there is none of that name.
  size_t in(const Trace &trace) const { return find(trace).value_or(trace.passes.size() - 1); }
};

// The selected pass from one compile to the next. A compile that ends before it shows its last one,
// until another gets there or the user goes elsewhere; who stands where an edit is made sees what
// it makes.
class PassFollower {
public:
  // The index after `selected` of `before`, which is null where nothing was shown.
  size_t follow(const Trace *before, size_t selected, const Trace &after);
  // The next compile is of an edit; whether it is after the selected pass.
  void noteEdit(bool isHere) { wasEditedHere_ = isHere; }

private:
  struct MissedPass {
    PassName pass;
    size_t shownInstead = 0; // index
  };
  std::optional<MissedPass> missed_;
  bool wasEditedHere_ = false;
};

} // namespace tilescope
