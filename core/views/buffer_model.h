// Panel `buffer`: the card of one buffer, the pinned one. What it is, where it came from, where it
// lies and why, who touches it, and what says something about it.
#pragma once

#include "core/views/buffer_history.h"
#include "core/views/why_buffer_model.h"

namespace tilescope {

// What of a statement touches the buffer.
struct BufferAccessRow {
  WhyPoint at;
  StmtId stmt;
  bool isWrite = false;
  bool isAsync = false;
  bool isFull = false; // a write of every byte of the slot
  std::string slot;    // "slot 1", "slot (k + 2) mod 3"; "" where there is one version
};

// A line of the CUDA that names it, from 1.
struct BufferCudaRow {
  uint32_t line = 0;
  StmtId stmt;
  std::string text;
};

struct BufferRemarkRow {
  size_t pass = 0;
  std::string passName;
  std::string id;
  std::string text;
  KernelLine sourceLine;
};

// What it adds to the highest point of its arena.
struct BufferPeakShare {
  std::string function;
  WhyPoint at;
  bool isLive = false; // there
  int64_t sizeBytes = 0;
  int64_t peakBytes = 0;
};

struct BufferView {
  std::string missing; // why there is no card; "": there is one
  std::string pass;    // the state after this pass is told
  std::string note;    // where the selected pass does not know the buffer: "gone after X", ...

  BufferId buffer;
  BufferKey bufferKey;
  std::string key; // as text
  std::string name;
  std::string type; // "float16 (128, 32) x3"
  std::string scope;
  int64_t versions = 1;
  std::string layout; // "": not decided
  std::optional<int64_t> sizeBytes;
  std::optional<int64_t> offsetBytes;
  std::string origin; // the buffer it was made for; "": none
  KernelLine sourceLine;
  std::string source;
  int hueDegrees = 0;

  std::vector<BufferEvent> history;
  std::optional<WhyBufferView> place; // nullopt: `unplaced` says why
  std::string unplaced;
  std::optional<BufferPeakShare> peak;
  std::vector<BufferAccessRow> accesses; // of shared buffers; in program order
  std::vector<BufferCudaRow> cuda;       // of shared buffers
  std::vector<BufferRemarkRow> remarks;
};

// Of a buffer where the pass knows it, else after the nearest pass that does.
BufferView buildBuffer(const PassState &state, const std::optional<BufferKey> &buffer);
void print(const BufferView &view, llvm::raw_ostream &out);

// "lies at [0, 32,768)" in words: see WhyBufferView. One sentence.
std::string placeText(const WhyBufferView &place);
// "32,768 of the 163,840 bytes at the peak", "not live at the peak".
std::string peakText(const BufferPeakShare &peak);
// "written", "copy starts in part", "read": what lifetimes are marked with, too.
std::string kindText(const BufferAccessRow &access);
// The same and the slot: "read, slot k mod 2".
std::string accessText(const BufferAccessRow &access);

template <typename Archive> void fields(Archive &archive, BufferAccessRow &row) {
  archive("at", row.at);
  archive("stmt", row.stmt);
  archive.always("isWrite", row.isWrite);
  archive("isAsync", row.isAsync);
  archive("isFull", row.isFull);
  archive("slot", row.slot);
}

template <typename Archive> void fields(Archive &archive, BufferCudaRow &row) {
  archive("line", row.line);
  archive("stmt", row.stmt);
  archive("text", row.text);
}

template <typename Archive> void fields(Archive &archive, BufferRemarkRow &row) {
  archive.always("pass", row.pass);
  archive("passName", row.passName);
  archive("id", row.id);
  archive("text", row.text);
  lineFields(archive, row.sourceLine);
}

template <typename Archive> void fields(Archive &archive, BufferPeakShare &peak) {
  archive("function", peak.function);
  archive("at", peak.at);
  archive.always("isLive", peak.isLive);
  archive.always("sizeBytes", peak.sizeBytes);
  archive.always("peakBytes", peak.peakBytes);
}

template <typename Archive> void fields(Archive &archive, BufferView &view) {
  archive("missing", view.missing);
  archive("pass", view.pass);
  archive("note", view.note);
  archive("buffer", view.buffer);
  archive("key", view.key);
  archive("name", view.name);
  archive("type", view.type);
  archive("scope", view.scope);
  archive("versions", view.versions);
  archive("layout", view.layout);
  archive("sizeBytes", view.sizeBytes);
  archive("offsetBytes", view.offsetBytes);
  archive("origin", view.origin);
  lineFields(archive, view.sourceLine);
  archive("source", view.source);
  archive.always("history", view.history);
  archive("place", view.place);
  archive("unplaced", view.unplaced);
  archive("peak", view.peak);
  archive.always("accesses", view.accesses);
  archive.always("cuda", view.cuda);
  archive.always("remarks", view.remarks);
}

} // namespace tilescope
