#include "core/check/fault_sentences.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

std::string sentenceOf(const ArenaFault &fault, llvm::StringRef victim, llvm::StringRef culprit) {
  int64_t begin = fault.beginByte, end = fault.endByte;
  switch (fault.kind) {
  case ArenaFault::Kind::ClobberedRead:
    return llvm::formatv("'{0}' is read after '{1}' has overwritten its bytes [{2:N}, {3:N})",
                         victim, culprit, begin, end);
  case ArenaFault::Kind::InFlightAccess:
    return llvm::formatv("'{0}' is accessed while {4} '{1}' is in flight over its bytes [{2:N}, "
                         "{3:N})",
                         victim, culprit, begin, end,
                         fault.isOfRead ? "a product or store that reads"
                                        : "an asynchronous copy of");
  case ArenaFault::Kind::ConcurrentRoles:
    return llvm::formatv(
        "'{0}' and '{1}' share bytes [{2:N}, {3:N}) but are accessed by roles that "
        "run at the same time",
        victim, culprit, begin, end);
  case ArenaFault::Kind::OutOfArena:
    return llvm::formatv("'{0}' lies at bytes [{1:N}, {2:N}), outside of the arena", victim, begin,
                         end);
  }
  return "";
}

std::string sentenceOf(const HazardFault &fault, llvm::StringRef first, llvm::StringRef second) {
  const char *when = fault.overBackEdge ? " in an earlier iteration" : "";
  const char *work = fault.isOfRead ? "product or store that reads" : "asynchronous copy of";
  switch (fault.kind) {
  case HazardFault::Kind::MissingBarrier:
    return llvm::formatv("no barrier between this access of '{0}' and that of '{1}' by other "
                         "threads{2}",
                         second, first, when);
  case HazardFault::Kind::NotArrived:
    return llvm::formatv("'{0}' is accessed before the {3} '{1}'{2} has been waited for", second,
                         first, when, work);
  case HazardFault::Kind::WaitNotShared:
    return llvm::formatv("'{0}' is accessed after a wait for the {3} '{1}'{2}, but no barrier lets "
                         "other threads know",
                         second, first, when, fault.isOfRead ? work : "copy of");
  case HazardFault::Kind::NotFenced:
    return llvm::formatv("'{0}' is accessed through the asynchronous proxy, and no fence orders "
                         "that and the access of '{1}'{2}",
                         second, first, when);
  case HazardFault::Kind::Unordered:
    return llvm::formatv("nothing orders this access of '{0}' and that of '{1}' by other threads",
                         second, first);
  }
  return "";
}

} // namespace tilescope
