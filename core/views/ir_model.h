// Panel `ir`: the IR before and after a pass, side by side, each line with the id and source line
// of its statement and the buffers that it names; beside it which shared buffers are live.
#pragma once

#include "core/views/buffer_names.h"
#include "core/views/ir_gutter.h"
#include "core/views/line_alignment.h"
#include "core/views/view.h"

namespace tilescope {

struct IrLine {
  std::string text;
  StmtId stmt;
  BufferId buffer; // declarations
  KernelLine sourceLine;
  bool isNew = false;                // not there, or not alike, before the pass
  std::optional<ProgramPoint> point; // the first that this line is
  std::vector<BufferSpan> names;
};

struct IrView {
  std::string pass;
  std::string passBefore;        // "": nothing is before the first pass
  std::vector<IrLine> before;    // empty if there is no pass before
  std::vector<IrLine> lines;     // after
  std::vector<AlignedRow> rows;  // without a pass before every line is Same, with `after` only
  std::vector<IrGutter> gutters; // of `lines`
  SharedPart<NamedBuffer> buffers = emptyPart<NamedBuffer>(); // of both sides, by id
};

// The lines of a snapshot, without points.
std::vector<IrLine> irLinesOf(const Trace &trace, const TraceSnapshot &snapshot);

IrView buildIr(const PassState &state);

// What views of all passes with the same facets share.
struct IrNames {
  IrBufferNames names;
  SharedPart<NamedBuffer> buffers;
};
std::shared_ptr<IrNames> irNamesOf(const FacetState &facets);

// The same for one pass after another: what two views have in common is built once. The lines after
// a pass are those before the next.
class IrViews {
public:
  // Names are those of the facets of the state, and used while nobody else does. Valid until the
  // next call.
  const IrView &show(const PassState &state, IrNames &names);

private:
  // What lines are made of.
  struct Text {
    SharedPart<LineId> lines;
    SharedPart<BufferRecord> buffers;

    friend bool operator==(const Text &, const Text &) = default;
  };
  static Text textOf(const TraceSnapshot &snapshot) { return {snapshot.lines, snapshot.buffers}; }
  std::vector<IrLine> takeLines(const PassState &state, const TraceSnapshot &snapshot,
                                IrNames &names);

  IrView view_;
  std::vector<std::pair<Text, std::vector<IrLine>>> known_; // of the view before
  Text before_, after_;                                     // of the view
};

// The text after the pass and nothing else: compile and opt read it.
void print(const IrView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, IrLine &line) {
  archive("text", line.text);
  archive("stmt", line.stmt);
  archive("buffer", line.buffer);
  lineFields(archive, line.sourceLine);
  archive("isNew", line.isNew);
  archive("point", line.point);
  archive("names", line.names);
}

// The state after the pass; what changed is the view `changes`.
template <typename Archive> void fields(Archive &archive, IrView &view) {
  archive("pass", view.pass);
  archive("passBefore", view.passBefore);
  archive("lines", view.lines);
  archive("gutters", view.gutters);
}

} // namespace tilescope
