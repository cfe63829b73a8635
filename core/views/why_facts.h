// What the answers of `tilescope why` are made of: one kernel's arena at one snapshot, with its
// program points in words of the kernel file.
#pragma once

#include "core/trace/pass_state.h"
#include "core/trace/trace_fields.h"
#include "core/views/view.h"
#include "core/views/why_order.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// A program point in words.
struct WhyPoint {
  ProgramPoint point = 0;
  std::string statement; // its first IR line
  KernelLine sourceLine;
  std::string source; // that line
};

struct WhyBuffer {
  std::string name;
  std::string key; // see BufferKey
  int64_t offsetBytes = 0;
  int64_t sizeBytes = 0; // all versions
  int64_t versions = 1;
  std::vector<LiveInterval> live;
  std::optional<WhyPoint> definition; // the first in program order
  std::optional<WhyPoint> lastUse;    // the last in program order
  int hueDegrees = 0;
};

// Points at which the same happens to some buffers: [begin, end), all of one source line.
struct WhyStretch {
  LiveInterval points;
  WhyPoint at;                     // the first of them
  std::vector<std::string> states; // a buffer: "written", "read", "arriving", "holds its value"
};

// Whose plan is explained, and what it is worth.
struct WhyContext {
  std::string pass;
  std::string function;
  bool preview = true;
  std::vector<std::string> unknown; // what may still change a preview; of lives that may be shorter
};

// Of a function with an arena; valid as long as the state.
class ArenaFacts {
public:
  ArenaFacts(const PassState &state, const FunctionState &function);

  WhyContext context() const;
  const ArenaRecord &arena() const { return *function_.arena; }
  const ArenaBuffer *buffer(BufferId id) const;
  std::string nameOf(BufferId id) const { return function_.nameOf(id); }
  WhyBuffer describe(BufferId id) const;
  WhyPoint at(ProgramPoint point) const;
  std::string stateAt(BufferId id, ProgramPoint point) const;
  std::vector<WhyStretch> stretches(const std::vector<LiveInterval> &points,
                                    const std::vector<BufferId> &buffers) const;

  // Of another compiler's program: what is not known of its order.
  std::vector<std::string> unknownOrder() const;
  // That the plan was found sound all the same.
  bool isSound() const;

  // Barriers of the whole block.
  std::vector<WhyPoint> barriersIn(const LiveInterval &points) const;
  // Nothing also where that is not known.
  std::optional<WhyOrder> orderOf(BufferId earlier, BufferId later) const;
  // Nothing: it has no bytes.
  std::optional<BufferBytes> bytesOf(BufferId id) const;

private:
  const BufferLifetime *lifetimeOf(BufferId id) const;

  const PassState &state_;
  const FunctionState &function_;
  const std::vector<TracePoint> &points_;
  std::vector<llvm::StringRef> sourceLines_;
};

// The pass to explain when none is named: the last with a final plan, else the last with a preview,
// else the last.
size_t lastPlannedPass(const Trace &trace);

struct ArenaBufferPlace {
  const FunctionState *function; // it has an arena
  BufferId id;
};
// By name, or by key. The error lists the names there are, or the keys that the name fits.
llvm::Expected<ArenaBufferPlace> findArenaBuffer(const PassState &state, llvm::StringRef name);

std::vector<LiveInterval> intersect(const std::vector<LiveInterval> &a,
                                    const std::vector<LiveInterval> &b);

// "[0, 12) [14, 16)"
std::string toText(const std::vector<LiveInterval> &intervals);
// "[0, 24,576)"
std::string byteRange(int64_t beginBytes, int64_t endBytes);
// "line 28: T.copy(...)", clipped; the IR of the statement where the trace has no source.
std::string toText(const WhyPoint &point);
// At most `width` bytes, "..." at the end of what was longer.
std::string clipped(llvm::StringRef text, size_t width);
// "after merge-shared-memory" and, of a preview, what may still change.
void printContext(const WhyContext &context, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, WhyPoint &point) {
  archive.always("point", point.point);
  archive("statement", point.statement);
  lineFields(archive, point.sourceLine);
  archive("source", point.source);
}

template <typename Archive> void fields(Archive &archive, WhyBuffer &buffer) {
  archive("name", buffer.name);
  archive("key", buffer.key);
  archive.always("offsetBytes", buffer.offsetBytes);
  archive.always("sizeBytes", buffer.sizeBytes);
  archive("versions", buffer.versions);
  archive.always("live", buffer.live);
  archive("definition", buffer.definition);
  archive("lastUse", buffer.lastUse);
}

template <typename Archive> void fields(Archive &archive, WhyStretch &stretch) {
  archive("points", stretch.points);
  archive("at", stretch.at);
  archive("states", stretch.states);
}

template <typename Archive> void fields(Archive &archive, WhyContext &context) {
  archive("pass", context.pass);
  archive("function", context.function);
  archive.always("preview", context.preview);
  archive("unknown", context.unknown);
}

} // namespace tilescope
