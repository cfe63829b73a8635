#include "core/diff/life_comparison.h"

#include "core/support/line_edits.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope {

namespace {

// What two matched buffers have in common.
using CommonNames = std::unordered_map<BufferId, size_t>;

CommonNames commonNames(const TraceSnapshot &snapshot, const std::vector<BufferPair> &pairs,
                        std::optional<size_t> BufferPair::*side) {
  CommonNames names;
  for (size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].*side)
      names.emplace((*snapshot.buffers)[*(pairs[i].*side)].id, i);
  return names;
}

// Bytes that are equal for leaves that do the same. Slots are left out: they depend on the number
// of versions.
void appendSignature(const AccessNode &node, const CommonNames &names, std::string &bytes) {
  bytes += static_cast<char>(node.kind);
  for (const Access &access : node.accesses) {
    auto name = names.find(access.buffer);
    uint64_t number = name == names.end() ? UINT64_MAX : name->second;
    bytes += access.kind == AccessKind::Read ? 'r' : access.async ? 'a' : 'w';
    bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
  }
}

std::vector<LineId> signaturesOf(const AccessProgram &program, const CommonNames &names,
                                 llvm::StringMap<LineId> &ids) {
  std::vector<LineId> signatures;
  std::string bytes;
  for (uint32_t leaf : leavesInOrder(program)) {
    bytes.clear();
    appendSignature(program.nodes[leaf], names, bytes);
    signatures.push_back(ids.try_emplace(bytes, ids.size()).first->second);
  }
  return signatures;
}

// By point before: the point after, or -1.
std::vector<ProgramPoint> alignedPoints(const std::vector<LineId> &before,
                                        const std::vector<LineId> &after) {
  std::vector<ProgramPoint> points(before.size(), -1);
  size_t x = 0, y = 0;
  auto keepUntil = [&](size_t end) {
    while (x < end)
      points[x++] = static_cast<ProgramPoint>(y++);
  };
  for (const LineEdit &edit : diffLines(before, after)) {
    keepUntil(edit.at);
    x += edit.removed;
    y += edit.inserted.size();
  }
  keepUntil(before.size());
  return points;
}

// The program of the same function, else the one in the same place.
size_t partnerOf(size_t index, const std::vector<AccessRecord> &before,
                 const std::vector<AccessRecord> &after) {
  for (size_t i = 0; i < after.size(); ++i)
    if (after[i].function == before[index].function)
      return i;
  return index;
}

const std::vector<LiveInterval> NoLife;

} // namespace

LifeComparison::Lives LifeComparison::livesOf(const TraceSnapshot &snapshot) {
  Lives lives;
  for (size_t program = 0; program < snapshot.accesses->size(); ++program)
    for (const BufferLifetime &lifetime : (*snapshot.accesses)[program].lifetimes.buffers)
      lives.try_emplace(lifetime.buffer, Life{program, &lifetime.intervals});
  return lives;
}

LifeComparison::LifeComparison(const TraceSnapshot &before, const TraceSnapshot &after,
                               const std::vector<BufferPair> &pairs)
    : livesBefore_(livesOf(before)), livesAfter_(livesOf(after)) {
  CommonNames namesBefore = commonNames(before, pairs, &BufferPair::before);
  CommonNames namesAfter = commonNames(after, pairs, &BufferPair::after);
  llvm::StringMap<LineId> ids;
  for (size_t i = 0; i < before.accesses->size(); ++i) {
    Alignment &alignment = alignments_.emplace_back();
    alignment.after = partnerOf(i, *before.accesses, *after.accesses);
    if (alignment.after < after.accesses->size())
      alignment.points =
          alignedPoints(signaturesOf((*before.accesses)[i].program, namesBefore, ids),
                        signaturesOf((*after.accesses)[alignment.after].program, namesAfter, ids));
  }
}

bool LifeComparison::isAligned(const Life &before, ProgramPoint pointBefore, const Life &after,
                               ProgramPoint pointAfter) const {
  const Alignment &alignment = alignments_[before.program];
  auto point = static_cast<size_t>(pointBefore);
  return alignment.after == after.program && point < alignment.points.size() &&
         alignment.points[point] == pointAfter;
}

bool LifeComparison::isSame(BufferId before, BufferId after) const {
  auto left = livesBefore_.find(before);
  auto right = livesAfter_.find(after);
  if (left == livesBefore_.end() || right == livesAfter_.end())
    return left == livesBefore_.end() && right == livesAfter_.end();
  const Life &lifeBefore = left->second;
  const Life &lifeAfter = right->second;
  if (lifeBefore.intervals->size() != lifeAfter.intervals->size())
    return false;
  for (size_t i = 0; i < lifeBefore.intervals->size(); ++i) {
    const LiveInterval &a = (*lifeBefore.intervals)[i];
    const LiveInterval &b = (*lifeAfter.intervals)[i];
    if (!isAligned(lifeBefore, a.begin, lifeAfter, b.begin) ||
        !isAligned(lifeBefore, a.end - 1, lifeAfter, b.end - 1))
      return false;
  }
  return true;
}

const std::vector<LiveInterval> &LifeComparison::lifeBefore(BufferId id) const {
  auto found = livesBefore_.find(id);
  return found == livesBefore_.end() ? NoLife : *found->second.intervals;
}

const std::vector<LiveInterval> &LifeComparison::lifeAfter(BufferId id) const {
  auto found = livesAfter_.find(id);
  return found == livesAfter_.end() ? NoLife : *found->second.intervals;
}

} // namespace tilescope
