// Why two shared buffers share bytes, or do not: `tilescope why TRACE A B`.
#pragma once

#include "core/views/why_facts.h"

namespace tilescope {

enum class PairRelation : uint8_t {
  Share,    // the same bytes at different times
  Conflict, // both are live at some point
  Apart,    // never live together, and yet each has bytes of its own
  Clash,    // both are live at some point and overlap in bytes: the plan is wrong
  Unknown,  // the same where lives may be shorter than shown: it may be wrong
};

// Why one of two buffers does not lie where the other does.
struct WhyNotThere {
  std::string buffer;
  int64_t beginBytes = 0; // where it would lie
  int64_t endBytes = 0;
  std::string blockedBy;               // who lies there while it is live; "": nobody
  std::optional<WhyPoint> at;          // where both are live
  int64_t aboveBytes = 0;              // the height of the arena, if it would end above
  std::optional<int64_t> moreBarriers; // that it would need there, if that is known
};

struct WhyPairView {
  WhyContext context;
  PairRelation relation = PairRelation::Apart;
  WhyBuffer first;
  WhyBuffer second;
  std::vector<LiveInterval> together; // points at which both are live
  std::vector<WhyStretch> witnesses;  // those points, with what happens to the two
  int64_t sharedBeginBytes = 0;       // Share, Clash, Unknown: [begin, end)
  int64_t sharedEndBytes = 0;
  // Share, and one is dead before the other is born: barriers between the two lives.
  std::vector<WhyPoint> barriers;
  // Without such: those inside the lives that separate the accesses all the same.
  std::vector<WhyPoint> separatedBy;
  // Of the earlier buffer, where the other does not take the bytes of all its slots: those it
  // takes, and how often a loop has begun again since they were last accessed.
  std::vector<int64_t> sharedSlots;
  int64_t iterationsEarlier = 0;
  bool isFirstEarlier = true;
  bool isHandOver = false; // that is so
  // Of another compiler's program: what barriers there may be besides, and why lives may be
  // shorter.
  std::vector<std::string> unknownOrder;
  bool isSound = false;              // all the same: its check follows roles and mbarriers further
  std::vector<WhyNotThere> notThere; // Apart: first over second, second over first
  bool isLeast = false;              // the height is proven: sharing more would gain nothing
};

// The buffers must be different ones of the arena of the function.
WhyPairView buildWhyPair(const PassState &state, const FunctionState &function, BufferId first,
                         BufferId second);
void print(const WhyPairView &view, llvm::raw_ostream &out);

template <> struct EnumNames<PairRelation> {
  static constexpr const char *Names[] = {"share", "conflict", "apart", "clash", "unknown"};
};

template <typename Archive> void fields(Archive &archive, WhyNotThere &notThere) {
  archive("buffer", notThere.buffer);
  archive.always("beginBytes", notThere.beginBytes);
  archive.always("endBytes", notThere.endBytes);
  archive.always("blockedBy", notThere.blockedBy);
  archive("at", notThere.at);
  archive("aboveBytes", notThere.aboveBytes);
  archive("moreBarriers", notThere.moreBarriers);
}

template <typename Archive> void fields(Archive &archive, WhyPairView &view) {
  archive("context", view.context);
  archive.always("relation", view.relation);
  archive("first", view.first);
  archive("second", view.second);
  archive("together", view.together);
  archive("witnesses", view.witnesses);
  archive.always("sharedBeginBytes", view.sharedBeginBytes);
  archive.always("sharedEndBytes", view.sharedEndBytes);
  archive("isHandOver", view.isHandOver);
  archive("barriers", view.barriers);
  archive("separatedBy", view.separatedBy);
  archive("sharedSlots", view.sharedSlots);
  archive("iterationsEarlier", view.iterationsEarlier);
  archive("unknownOrder", view.unknownOrder);
  archive("isSound", view.isSound);
  archive("notThere", view.notThere);
  archive("isLeast", view.isLeast);
}

} // namespace tilescope
