#include "core/views/buffer_model.h"

#include "core/trace/trace_queries.h"

#include "core/views/remarks_model.h"
#include "core/views/unplaced_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Where the arena of a snapshot places it.
const ArenaRecord *arenaOf(const TraceSnapshot &snapshot, BufferId id) {
  for (const ArenaRecord &arena : *snapshot.arenas)
    if (llvm::any_of(arena.problem.buffers,
                     [&](const ArenaBuffer &buffer) { return buffer.id == id; }))
      return &arena;
  return nullptr;
}

std::string slotText(const Slot &slot, int64_t versions) {
  if (versions <= 1)
    return "";
  if (slot.kind == Slot::Kind::Constant)
    return "slot " + std::to_string(slot.offset);
  if (slot.kind == Slot::Kind::Dynamic)
    return "any slot";
  if (slot.offset == 0)
    return llvm::formatv("slot k mod {0}", slot.modulus);
  return llvm::formatv("slot (k + {0}) mod {1}", slot.offset, slot.modulus);
}

class Card {
public:
  Card(const Trace &trace, const BufferPlace &place)
      : trace_(trace), snapshot_(trace.snapshots[trace.passes[place.pass].snapshot]),
        record_(*place.record), sourceLines_(sourceLinesOf(trace)) {
    at_.pass = place.pass;
  }

  BufferView build(size_t selectedPass) {
    describe();
    view_.history = historyOf(trace_, record_.id);
    addNote(selectedPass);
    addPlace();
    addAccesses();
    addCuda();
    addRemarks();
    return std::move(view_);
  }

private:
  void describe() {
    view_.pass = passPlace(trace_, at_.pass);
    view_.buffer = record_.id;
    view_.bufferKey = record_.key;
    view_.key = toString(record_.key);
    view_.name = record_.name;
    view_.type = typeText(record_);
    view_.scope = nameOf(record_.scope);
    view_.versions = record_.versions;
    view_.layout = record_.layout;
    view_.sizeBytes = record_.sizeBytes;
    view_.offsetBytes = record_.offsetBytes;
    if (const BufferRecord *origin = recordOf(snapshot_, record_.origin))
      view_.origin = origin->name;
    view_.sourceLine = record_.span.line;
    view_.source = sourceAt(record_.span.line);
    view_.hueDegrees = hueDegrees(record_.key);
  }

  std::string sourceAt(uint32_t line) const {
    return line > 0 && line <= sourceLines_.size() ? sourceLines_[line - 1].str() : "";
  }

  void addNote(size_t selectedPass) {
    if (at_.pass == selectedPass)
      return;
    for (const BufferEvent &event : view_.history) {
      if (event.kind == BufferEventKind::Removed && at_.pass < selectedPass)
        view_.note = "gone after " + passText(event);
      if (event.kind == BufferEventKind::Created && at_.pass > selectedPass)
        view_.note = "not there before " + passText(event);
    }
  }

  void addPlace() {
    const ArenaRecord *arena = arenaOf(snapshot_, record_.id);
    if (!arena) {
      view_.unplaced = unplacedText();
      return;
    }
    view_.place = buildWhyBuffer(trace_, at_, *arena, record_.id);
    BufferPeakShare &peak = view_.peak.emplace();
    peak.function = arena->function;
    peak.at = ArenaFacts(trace_, at_, *arena).at(peakPoint(*arena));
    peak.isLive = contains(view_.place->buffer.live, peak.at.point);
    peak.sizeBytes = view_.place->buffer.sizeBytes;
    peak.peakBytes = arena->plan.heightBytes;
  }

  std::string unplacedText() const {
    for (const ArenaRecord &arena : *snapshot_.arenas)
      for (const LaunchSizedBuffer &buffer : arena.launchSized)
        if (buffer.id == record_.id)
          return llvm::formatv("sized at launch: region {0} above the planned bytes",
                               buffer.region);
    return isShared(record_.scope) ? whyUnplaced(trace_, at_, view_.key)
                                   : "'" + view_.name + "' is in " + view_.scope +
                                         " memory: only shared memory is planned";
  }

  void addAccesses() {
    for (const AccessRecord &record : *snapshot_.accesses) {
      if (!indexOf(record.program, record_.id))
        continue;
      std::vector<TracePoint> points = pointsOf(trace_, snapshot_, record.program);
      std::vector<uint32_t> leaves = leavesInOrder(record.program);
      for (size_t point = 0; point < leaves.size(); ++point)
        for (const Access &access : record.program.nodes[leaves[point]].accesses)
          if (access.buffer == record_.id)
            view_.accesses.push_back(rowOf(access, points[point], point));
    }
  }

  BufferAccessRow rowOf(const Access &access, const TracePoint &what, size_t point) const {
    BufferAccessRow row;
    row.at = {static_cast<ProgramPoint>(point), what.text, what.sourceLine,
              sourceAt(what.sourceLine)};
    row.stmt = what.stmt;
    row.isWrite = access.kind == AccessKind::Write;
    row.isAsync = access.async;
    row.isFull = access.full;
    row.slot = slotText(access.slot, record_.versions);
    return row;
  }

  void addCuda() {
    std::vector<const CudaLine *> lines;
    for (const CudaLine &line : trace_.cudaMap)
      if (llvm::is_contained(line.buffers, record_.id))
        lines.push_back(&line);
    if (lines.empty())
      return;
    llvm::SmallVector<llvm::StringRef> texts;
    llvm::StringRef(trace_.cuda).split(texts, '\n');
    for (const CudaLine *line : lines)
      if (line->line > 0 && line->line <= texts.size())
        view_.cuda.push_back({line->line, line->stmt, texts[line->line - 1].trim().str()});
  }

  void addRemarks() {
    for (const RemarkRow &row : buildRemarks(trace_, at_).remarks)
      if (llvm::is_contained(row.buffers, record_.id))
        view_.remarks.push_back({row.passIndex, row.pass, row.id, sentenceOf(row), row.sourceLine});
  }

  const Trace &trace_;
  const TraceSnapshot &snapshot_;
  const BufferRecord &record_;
  std::vector<llvm::StringRef> sourceLines_;
  Selection at_; // the pass that `snapshot_` is the state after
  BufferView view_;
};

void printHeading(llvm::StringRef heading, llvm::raw_ostream &out) {
  out << '\n';
  write(out, heading, {Ink::Strong});
  out << '\n';
}

void printFacts(const BufferView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{
      {"  key", view.key},
      {"  type", view.type + " in " + view.scope},
      {"  layout", view.layout.empty() ? "not decided" : view.layout},
      {"  bytes", view.sizeBytes ? groupedNumber(*view.sizeBytes) : "known at launch"},
      {"  place", view.place ? placeText(*view.place) : view.unplaced}};
  if (view.peak)
    rows.push_back({"  peak", peakText(*view.peak)});
  if (!view.origin.empty())
    rows.push_back({"  made for", view.origin});
  if (view.sourceLine)
    rows.push_back({"  declared", llvm::formatv("line {0}: {1}", view.sourceLine, view.source)});
  printTable(out, rows, 2, plainInk);
}

void printRows(llvm::StringRef heading, const std::vector<std::vector<std::string>> &rows,
               llvm::raw_ostream &out) {
  if (rows.empty())
    return;
  printHeading(heading, out);
  printTable(out, rows, rows[0].size(), plainInk);
}

void printLists(const BufferView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> history, shares, accesses, cuda, remarks;
  for (const BufferEvent &event : view.history)
    history.push_back({"  " + passText(event), nameOf(event.kind), event.text});
  if (view.place)
    for (const WhyShare &share : view.place->sharesWith)
      shares.push_back({"  " + share.buffer, byteRange(share.beginBytes, share.endBytes),
                        "live " + toText(share.live)});
  for (const BufferAccessRow &row : view.accesses)
    accesses.push_back({"  " + std::to_string(row.at.point), accessText(row), toText(row.at)});
  for (const BufferCudaRow &row : view.cuda)
    cuda.push_back({"  " + std::to_string(row.line), clipped(row.text, 96)});
  for (const BufferRemarkRow &row : view.remarks)
    remarks.push_back({"  " + row.passName, row.text});
  printRows("through the passes", history, out);
  printRows("who uses its bytes at other times", shares, out);
  printRows("definitions and uses", accesses, out);
  printRows("in the CUDA", cuda, out);
  printRows("remarks", remarks, out);
}

} // namespace

BufferView buildBuffer(const Trace &trace, const Selection &selection) {
  BufferView view;
  if (!selection.pinned.buffer) {
    view.missing = "no buffer is pinned";
    return view;
  }
  std::optional<BufferPlace> place = findBuffer(trace, selection, *selection.pinned.buffer);
  if (!place) {
    view.missing = "no pass of this trace knows '" + toString(*selection.pinned.buffer) + "'";
    return view;
  }
  return Card(trace, *place).build(std::min(selection.pass, trace.passes.size() - 1));
}

std::string placeText(const WhyBufferView &place) {
  const WhyBuffer &buffer = place.buffer;
  return byteRange(buffer.offsetBytes, buffer.offsetBytes + buffer.sizeBytes) +
         (place.context.preview ? " in the preview: " : ": ") + place.place;
}

std::string peakText(const BufferPeakShare &peak) {
  if (!peak.isLive)
    return "not live at the peak, " + toText(peak.at);
  std::string percent;
  if (peak.peakBytes > 0)
    percent = llvm::formatv(" ({0} %)", peak.sizeBytes * 100 / peak.peakBytes);
  return groupedNumber(peak.sizeBytes) + " of the " + groupedNumber(peak.peakBytes) +
         " bytes at the peak" + percent;
}

std::string kindText(const BufferAccessRow &access) {
  if (!access.isWrite)
    return "read";
  std::string text = access.isAsync ? "copy starts" : "written";
  return access.isFull ? text : text + " in part";
}

std::string accessText(const BufferAccessRow &access) {
  std::string text = kindText(access);
  return access.slot.empty() ? text : text + ", " + access.slot;
}

void print(const BufferView &view, llvm::raw_ostream &out) {
  if (!view.missing.empty()) {
    out << view.missing << '\n';
    return;
  }
  write(out, view.name, Ink::ofHue(view.hueDegrees));
  out << " after " << view.pass;
  if (!view.note.empty())
    write(out, " (" + view.note + ")", {Ink::Notice});
  out << '\n';
  printFacts(view, out);
  printLists(view, out);
}

} // namespace tilescope
