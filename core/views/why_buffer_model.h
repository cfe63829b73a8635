// What fixes the place of one shared buffer: `tilescope why TRACE A`.
#pragma once

#include "core/views/why_facts.h"

namespace tilescope {

// `buffer` rests on the bytes that end at `topBytes`: they belong to `on`, live with it at `at`.
struct WhyRest {
  std::string buffer;
  std::string on;
  int64_t topBytes = 0;
  int64_t paddingBytes = 0; // between them
  std::optional<WhyPoint> at;
};

struct WhyShare {
  std::string buffer;
  int64_t beginBytes = 0; // the bytes that both use
  int64_t endBytes = 0;
  std::vector<LiveInterval> live; // of that buffer
};

struct WhyNeighbour {
  std::string buffer;
  WhyPoint at; // the first point at which both are live
};

struct WhyBufferView {
  WhyContext context;
  WhyBuffer buffer;
  std::string type; // "float16 (128, 32) x3"
  int64_t alignmentBytes = 0;
  int64_t strideBytes = 0; // from one version to the next
  int64_t paddingBytes = 0;
  std::string reason; // of the placement, one of the names of PlacementReason
  std::string place;  // the same in words: see placementText
  // Who is under whom, from this buffer down to the floor; of several under one buffer the first is
  // followed.
  std::vector<WhyRest> restsOn;
  std::vector<WhyShare> sharesWith;
  std::vector<WhyNeighbour> liveWith;
};

WhyBufferView buildWhyBuffer(const PassState &state, const FunctionState &function, BufferId id);
void print(const WhyBufferView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, WhyRest &rest) {
  archive("buffer", rest.buffer);
  archive("on", rest.on);
  archive.always("topBytes", rest.topBytes);
  archive.always("paddingBytes", rest.paddingBytes);
  archive("at", rest.at);
}

template <typename Archive> void fields(Archive &archive, WhyShare &share) {
  archive("buffer", share.buffer);
  archive.always("beginBytes", share.beginBytes);
  archive.always("endBytes", share.endBytes);
  archive("live", share.live);
}

template <typename Archive> void fields(Archive &archive, WhyNeighbour &neighbour) {
  archive("buffer", neighbour.buffer);
  archive("at", neighbour.at);
}

template <typename Archive> void fields(Archive &archive, WhyBufferView &view) {
  archive("context", view.context);
  archive("buffer", view.buffer);
  archive("type", view.type);
  archive.always("alignmentBytes", view.alignmentBytes);
  archive("strideBytes", view.strideBytes);
  archive.always("paddingBytes", view.paddingBytes);
  archive.always("reason", view.reason);
  archive.always("restsOn", view.restsOn);
  archive.always("sharesWith", view.sharesWith);
  archive.always("liveWith", view.liveWith);
}

} // namespace tilescope
