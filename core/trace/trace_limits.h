// What the records of a trace may claim. A trace comes from strangers: within these limits sums of
// its figures do not overflow, walks over its trees need little stack, and what a view makes of a
// record is in proportion to the length of the record.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

// Each gives what makes no sense; nullptr: all is well. Counts of bytes, lines and microseconds lie
// in [0, 2^44), other counts in [0, 2^16], program points in [0, 2^20).

// Bytes of global buffers are not limited: nothing adds them up.
const char *senselessness(const std::vector<BufferRecord> &buffers);
// Every node of a program is reached from its root exactly once, by at most 512 steps.
const char *senselessness(const std::vector<AccessRecord> &accesses);
// Lives are sorted and not empty, alignments and versions positive.
const char *senselessness(const std::vector<ArenaRecord> &arenas);
const char *senselessness(const std::vector<PipelineRecord> &pipelines);
const char *senselessness(const std::vector<LaunchRecord> &launches);
// Each step names what there is, and its touches are of bytes of the block, ascending.
const char *senselessness(const ExecutionRecord &execution);
const char *senselessness(const TracePass &pass);
const char *senselessness(const TraceHeader &header);
// A line is stored once and may be named any number of times: all lines of a snapshot together have
// at most 2^26 bytes.
const char *senselessness(const std::vector<LineId> &snapshot, const LineTable &lines);

// Of all snapshots together, where they are read at once: an edit of a few bytes makes a whole one.
inline constexpr size_t MaxWholeLines = size_t(1) << 24;

} // namespace tilescope
