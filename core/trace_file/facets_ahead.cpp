#include "core/trace_file/facets_ahead.h"

namespace tilescope {

FacetsAhead::State FacetsAhead::readState(RecordSource &source, const FacetRecords &asked,
                                          const FacetPlaces &places) {
  State state;
  state.asked = asked;
  uint64_t before = source.bytesRead();
  auto read = [&](Facet facet, auto member) {
    auto index = static_cast<size_t>(facet);
    llvm::StringRef text;
    if (places[index] && source.readRecord(*places[index], text).empty() &&
        readPart(text, state.facets.*member).empty())
      state.records[index] = asked[index];
  };
#define FACET(Type, member) read(Facet::Type, &TraceSnapshot::member);
#include "core/facets/facets.def"
  state.bytesRead = source.bytesRead() - before;
  return state;
}

void FacetsAhead::read(const RecordSource &source, const FacetRecords &state,
                       const FacetPlaces &places, std::function<void()> wake) {
  if (!source_)
    source_ = source.again();
  if (!source_) {
    read_.push_back({.asked = state});
    return wake();
  }
  for (size_t facet = 0; facet != FacetCount; ++facet)
    reading_[facet] = places[facet] ? state[facet] : NoRecord;
  running_ =
      makeApart([=, own = source_] { return readState(*own, state, places); }, std::move(wake));
}

bool FacetsAhead::isReading() {
  if (!running_.value.valid())
    return false;
  if (!running_.isReady())
    return true;
  takeOver();
  return false;
}

void FacetsAhead::takeOver() {
  read_.push_back(running_.value.get());
  bytesRead_ += read_.back().bytesRead;
}

} // namespace tilescope
