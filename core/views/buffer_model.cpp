#include "core/views/buffer_model.h"

#include "core/trace/trace_queries.h"
#include "core/views/placement_words.h"
#include "core/views/remarks_model.h"
#include "core/views/source_statement.h"
#include "core/views/unplaced_buffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// The one whose arena has it.
const FunctionState *placedIn(const PassState &state, BufferId id) {
  for (const FunctionState &function : state.functions())
    if (const SharedBuffer *buffer = function.find(id); buffer && buffer->inArena)
      return &function;
  return nullptr;
}

// Of "for kb in T.serial(0, 64):" its name, where that counts the iterations.
llvm::StringRef loopVariable(llvm::StringRef loop) {
  loop.consume_front("for ");
  return loop.contains("(0, ") ? loop.take_until([](char byte) { return byte == ' '; }) : "";
}

std::string slotText(const Slot &slot, int64_t versions, llvm::StringRef counter) {
  if (versions <= 1)
    return "";
  if (slot.kind == Slot::Kind::Constant)
    return "slot " + std::to_string(slot.offset);
  if (slot.kind == Slot::Kind::Dynamic)
    return "any slot";
  if (slot.offset == 0)
    return llvm::formatv("slot {0} mod {1}", counter, slot.modulus);
  return llvm::formatv("slot ({0} + {1}) mod {2}", counter, slot.offset, slot.modulus);
}

class Card {
public:
  // `state` is after a pass that knows the buffer.
  Card(const PassState &state, const BufferRecord &record)
      : trace_(state.trace()), state_(state), record_(record), sourceLines_(sourceLinesOf(trace_)) {
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
    view_.pass = state_.place();
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
    if (const BufferRecord *origin = state_.facets()->declaration(record_.origin))
      view_.origin = origin->name;
    view_.sourceLine = record_.span.line;
    view_.source = sourceAt(record_.span.line);
    view_.hueDegrees = state_.facets()->hueOf(record_.id);
  }

  std::string sourceAt(uint32_t line) const { return sourceStatement(sourceLines_, line); }

  void addNote(size_t selectedPass) {
    if (state_.pass() == selectedPass)
      return;
    for (const BufferEvent &event : view_.history) {
      if (event.kind == BufferEventKind::Removed && state_.pass() < selectedPass)
        view_.note = "gone after " + passText(event);
      if (event.kind == BufferEventKind::Created && state_.pass() > selectedPass)
        view_.note = "not there before " + passText(event);
    }
  }

  void addPlace() {
    const FunctionState *function = placedIn(state_, record_.id);
    if (!function) {
      view_.unplaced = unplacedText();
      return;
    }
    view_.place = buildWhyBuffer(state_, *function, record_.id);
    BufferPeakShare &peak = view_.peak.emplace();
    peak.function = function->name;
    peak.at = ArenaFacts(state_, *function).at(peakPoint(*function->arena));
    peak.isLive = contains(view_.place->buffer.live, peak.at.point);
    peak.sizeBytes = view_.place->buffer.sizeBytes;
    peak.peakBytes = function->arena->plan.heightBytes;
  }

  std::string unplacedText() const {
    for (const FunctionState &function : state_.functions())
      if (const SharedBuffer *buffer = function.find(record_.id); buffer && buffer->launchSized)
        return llvm::formatv("sized at launch: region {0} above the planned bytes",
                             buffer->launchSized->region);
    return isShared(record_.scope) ? whyUnplaced(state_, view_.key)
                                   : "'" + view_.name + "' is in " + memoryText(view_.scope) +
                                         ": only shared memory is planned";
  }

  void addAccesses() {
    for (const FunctionState &function : state_.functions()) {
      const SharedBuffer *buffer = function.find(record_.id);
      if (!buffer || !buffer->accessed)
        continue;
      const AccessProgram &program = function.accesses->program;
      const std::vector<TracePoint> &points = state_.textOf(function).points;
      std::vector<uint32_t> leaves = leavesInOrder(program);
      for (size_t point = 0; point < leaves.size(); ++point)
        for (const Access &access : program.nodes[leaves[point]].accesses)
          if (access.buffer == record_.id)
            view_.accesses.push_back(rowOf(access, points[point], point));
    }
  }

  BufferAccessRow rowOf(const Access &access, const TracePoint &what, size_t point) const {
    BufferAccessRow row;
    row.at = {static_cast<ProgramPoint>(point), what.text, what.sourceLine,
              sourceAt(what.sourceLine.number)};
    row.stmt = what.stmt;
    row.isWrite = access.kind == AccessKind::Write;
    row.isAsync = access.async;
    row.isFull = access.full;
    row.slot = slotText(access.slot, record_.versions, counterOf(access.slot.loop));
    return row;
  }

  // The name of the variable that counts the iterations of a loop; "k" where none does.
  std::string counterOf(StmtId loop) const {
    for (const FunctionState &function : state_.functions())
      for (const TraceLoop &each : state_.textOf(function).loops)
        if (each.stmt == loop && !loopVariable(each.text).empty())
          return loopVariable(each.text).str();
    return "k";
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
    for (const RemarkRow &row : buildRemarks(trace_, Selection()).remarks)
      if (llvm::is_contained(row.buffers, record_.id))
        view_.remarks.push_back({row.passIndex, row.pass, row.id, sentenceOf(row), row.sourceLine});
  }

  const Trace &trace_;
  const PassState &state_;
  const BufferRecord &record_;
  std::vector<llvm::StringRef> sourceLines_;
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
      {"  type", view.type + " in " + memoryText(view.scope)},
      {"  layout", view.layout.empty() ? "not decided" : view.layout},
      {"  bytes", view.sizeBytes ? groupedNumber(*view.sizeBytes) : "known at launch"},
      {"  place", view.place ? placeText(*view.place) : view.unplaced}};
  if (view.peak)
    rows.push_back({"  peak", peakText(*view.peak)});
  if (!view.origin.empty())
    rows.push_back({"  made for", view.origin});
  if (view.sourceLine)
    rows.push_back({"  declared", lineText("line ", view.sourceLine, ": ") + view.source});
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

BufferView buildBuffer(const PassState &state, const std::optional<BufferKey> &buffer) {
  BufferView view;
  if (!buffer) {
    view.missing = "no buffer is pinned";
    return view;
  }
  Selection selection;
  selection.pass = state.pass();
  std::optional<BufferPlace> place = findBuffer(state.trace(), selection, *buffer);
  if (!place) {
    view.missing = "no pass of this trace knows '" + toString(*buffer) + "'";
    return view;
  }
  if (place->pass == state.pass())
    return Card(state, *place->record).build(state.pass());
  PassState other(state.trace(), place->pass);
  return Card(other, *place->record).build(state.pass());
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
