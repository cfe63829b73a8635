// Reads the facets of a state on another thread, before somebody asks for them. The thread has the
// file and a copy of what it must know for itself; what it read is taken over when it has ended.
#pragma once

#include "core/support/made_apart.h"
#include "core/trace_file/record_source.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <functional>
#include <limits>
#include <optional>

namespace tilescope {

inline constexpr size_t NoRecord = std::numeric_limits<size_t>::max();

// By facet, the index of the record that a state has it from, or NoRecord.
struct FacetRecords : std::array<size_t, FacetCount> {
  FacetRecords() { fill(NoRecord); }
};

using FacetPlaces = std::array<std::optional<RecordPlace>, FacetCount>;

class FacetsAhead {
public:
  FacetsAhead() = default;
  FacetsAhead(FacetsAhead &&) = default;
  // Waits for the thread.
  FacetsAhead &operator=(FacetsAhead &&) = default;
  ~FacetsAhead() = default;

  // Begins to read facets of a state: those that have a place. `wake` is called on the thread when
  // they can be taken. Nothing may be in progress. The file is the same each time; where it cannot
  // be opened again the state counts as read, without facets.
  void read(const RecordSource &source, const FacetRecords &state, const FacetPlaces &places,
            std::function<void()> wake);
  // Takes over what was read. True: the thread still reads.
  bool isReading();
  // The part that a record holds, if it was read; null: it was not, or makes no sense. Waits if the
  // thread reads it.
  template <typename T>
  SharedPart<T> wait(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member) {
    if (running_.value.valid() && reading_[static_cast<size_t>(facet)] == record)
      takeOver();
    return part(record, facet, member);
  }
  // The same without waiting.
  template <typename T>
  SharedPart<T> part(size_t record, Facet facet, SharedPart<T> TraceSnapshot::*member) const {
    for (const State &state : read_)
      if (state.records[static_cast<size_t>(facet)] == record)
        return state.facets.*member;
    return nullptr;
  }
  // Whether all was read of a state that makes sense.
  bool wasRead(const FacetRecords &state) const {
    return llvm::any_of(read_, [&](const State &read) { return read.asked == state; });
  }
  // What is known of a state from elsewhere stays as if it had been read.
  void hold(const FacetRecords &state, const TraceSnapshot &facets) {
    if (!wasRead(state))
      read_.push_back({.asked = state, .records = state, .facets = facets});
  }
  // Drops what was read of other states.
  void keepOnly(llvm::ArrayRef<FacetRecords> states) {
    llvm::erase_if(read_,
                   [&](const State &read) { return !llvm::is_contained(states, read.asked); });
  }

  // So far, without what is in progress.
  uint64_t bytesRead() const { return bytesRead_; }

private:
  struct State {
    FacetRecords asked;
    FacetRecords records; // those of them that could be read
    TraceSnapshot facets;
    uint64_t bytesRead = 0;
  };
  static State readState(RecordSource &source, const FacetRecords &asked,
                         const FacetPlaces &places);
  void takeOver();

  // Of the thread, for each state in turn: room for a large record costs much of what reading one
  // does.
  std::shared_ptr<RecordSource> source_;
  std::vector<State> read_;
  uint64_t bytesRead_ = 0;
  FacetRecords reading_;
  MadeApart<State> running_;
};

} // namespace tilescope
