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
  if (!source_)
    return;
  for (size_t facet = 0; facet != FacetCount; ++facet)
    reading_[facet] = places[facet] ? state[facet] : NoRecord;
  auto promise = std::make_shared<std::promise<State>>();
  running_ = promise->get_future();
  thread_ = std::async(std::launch::async, [=, own = source_, wake = std::move(wake)] {
    promise->set_value(readState(*own, state, places));
    wake();
  });
}

bool FacetsAhead::isReading() {
  if (!running_.valid())
    return false;
  if (running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return true;
  takeOver();
  return false;
}

void FacetsAhead::takeOver() {
  read_.push_back(running_.get());
  bytesRead_ += read_.back().bytesRead;
}

} // namespace tilescope
