#include "core/diff/peak_payers.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>
#include <unordered_map>

namespace tilescope {

namespace {

constexpr size_t MaxPoints = 64;

// Bytes that are live at a point, by index into the buffers that are compared.
using Payments = std::map<size_t, int64_t>;

class Side {
public:
  Side(const ArenaRecord *arena, const std::vector<BufferDiff> &buffers,
       std::optional<BufferState> BufferDiff::*side)
      : arena_(arena) {
    for (const auto &[index, buffer] : llvm::enumerate(buffers))
      if (const std::optional<BufferState> &state = buffer.*side)
        indexOf_.emplace(state->id, index);
  }

  int64_t heightBytes() const { return arena_ ? arena_->plan.heightBytes : 0; }

  Payments at(ProgramPoint point) const {
    Payments payments;
    for (const ArenaBuffer &buffer : arena_->problem.buffers)
      if (auto index = indexOf_.find(buffer.id);
          index != indexOf_.end() && contains(buffer.live, point))
        payments[index->second] += buffer.sizeBytes;
    return payments;
  }

  Payments atPeak() const { return arena_ ? at(peakPoint(*arena_)) : Payments(); }

  // What is live at each of the points where most bytes are, the first ones.
  std::vector<Payments> allPeaks() const {
    std::vector<Payments> peaks{atPeak()};
    if (!arena_)
      return peaks;
    std::set<ProgramPoint> begins;
    for (const ArenaBuffer &buffer : arena_->problem.buffers)
      for (const LiveInterval &interval : buffer.live)
        if (begins.size() < MaxPoints)
          begins.insert(interval.begin);
    for (ProgramPoint point : begins)
      if (Payments payments = at(point); sum(payments) == sum(peaks.front()))
        peaks.push_back(std::move(payments));
    return peaks;
  }

  static int64_t sum(const Payments &payments) {
    int64_t bytes = 0;
    for (const auto &[index, paid] : payments)
      bytes += paid;
    return bytes;
  }

private:
  const ArenaRecord *arena_;
  std::unordered_map<BufferId, size_t> indexOf_;
};

int64_t paid(const Payments &payments, size_t index) {
  auto found = payments.find(index);
  return found == payments.end() ? 0 : found->second;
}

int64_t changedBytes(const Payments &before, const Payments &after) {
  int64_t bytes = 0;
  for (const auto &[index, paidAfter] : after)
    bytes += std::abs(paidAfter - paid(before, index));
  for (const auto &[index, paidBefore] : before)
    bytes += after.contains(index) ? 0 : paidBefore;
  return bytes;
}

std::string reasonOf(const BufferDiff &buffer, int64_t before, int64_t after) {
  if (!buffer.before)
    return "is new";
  if (!buffer.after)
    return "is gone";
  if (before == 0)
    return "is live at the peak now";
  if (after == 0)
    return "is no longer live at the peak";
  if (buffer.before->versions != buffer.after->versions)
    return llvm::formatv("{0} -> {1} versions", buffer.before->versions, buffer.after->versions);
  if (buffer.before->type.empty() || buffer.after->type.empty())
    return "another size";
  return buffer.before->type + " -> " + buffer.after->type;
}

} // namespace

std::vector<PeakPayer> peakPayers(const ArenaRecord *before, const ArenaRecord *after,
                                  const std::vector<BufferDiff> &buffers) {
  Side left(before, buffers, &BufferDiff::before);
  Side right(after, buffers, &BufferDiff::after);
  Payments paidAfter = right.atPeak();
  std::vector<Payments> candidates = left.allPeaks();
  const Payments &paidBefore =
      *llvm::min_element(candidates, [&](const Payments &a, const Payments &b) {
        return changedBytes(a, paidAfter) < changedBytes(b, paidAfter);
      });

  std::vector<PeakPayer> payers;
  for (const auto &[index, buffer] : llvm::enumerate(buffers)) {
    int64_t bytesBefore = paid(paidBefore, index), bytesAfter = paid(paidAfter, index);
    if (bytesBefore != bytesAfter)
      payers.push_back({buffer.state().name, buffer.state().key, bytesBefore, bytesAfter,
                        reasonOf(buffer, bytesBefore, bytesAfter)});
  }
  int64_t gapBefore = left.heightBytes() - Side::sum(paidBefore);
  int64_t gapAfter = right.heightBytes() - Side::sum(paidAfter);
  if (gapBefore != gapAfter)
    payers.push_back({"", std::nullopt, gapBefore, gapAfter, "padding and gaps"});
  llvm::stable_sort(payers, [](const PeakPayer &a, const PeakPayer &b) {
    return std::abs(a.deltaBytes()) > std::abs(b.deltaBytes());
  });
  return payers;
}

} // namespace tilescope
