// How often a query is found in the text after each pass. Most lines are in many texts: each is
// searched once, and each text is summed up once.
#pragma once

#include "core/support/text_query.h"
#include "core/trace/trace.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace tilescope {

struct TextHits {
  size_t lines = 0; // with at least one hit
  size_t hits = 0;

  friend bool operator==(const TextHits &, const TextHits &) = default;
};

// By snapshot; nullopt: not counted yet.
using HitsOfSnapshots = std::vector<std::optional<TextHits>>;

// For one trace, which may grow.
class HitCounts {
public:
  explicit HitCounts(const std::string &query) : query_(query) {}

  const TextQuery &query() const { return query_; }
  // Of a line that is loaded.
  size_t ofLine(const Trace &trace, LineId line);
  TextHits ofText(const Trace &trace, llvm::ArrayRef<LineId> lines);
  // Counts those that are loaded.
  const HitsOfSnapshots &ofSnapshots(const Trace &trace);

private:
  static constexpr uint32_t Unknown = ~uint32_t(0);

  TextQuery query_;
  std::vector<uint32_t> ofLine_;
  HitsOfSnapshots ofSnapshot_;
};

// What was counted elsewhere, for a trace of which this thread has loaded a part.
struct CountedHits {
  std::string query;
  uint64_t revision = 0; // of the document
  HitsOfSnapshots ofSnapshot;
  std::string problem; // why it will not be all; ""
};

} // namespace tilescope
