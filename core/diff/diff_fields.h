// The report as JSON: the keys that core/diff/README.md documents.
#pragma once

#include "core/diff/diff_report.h"
#include "core/diff/trace_diff_fields.h"
#include "core/target/register_limit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

template <> struct EnumNames<DiffSides> {
  static constexpr const char *Names[] = {"both", "before", "after"};
};
template <> struct EnumNames<DiffScope> {
  static constexpr const char *Names[] = {"whole", "up-to-failure", "plan-alone"};
};

template <> struct EnumNames<DiffReason> {
  static constexpr const char *Names[] = {
#define REASON(Name, name, text) name,
#include "core/diff/diff_reasons.def"
  };
};

template <typename Archive> void fields(Archive &archive, PeakPayer &payer) {
  archive.always("buffer", payer.buffer);
  archive("key", payer.key);
  archive.always("bytesBefore", payer.bytesBefore);
  archive.always("bytesAfter", payer.bytesAfter);
  int64_t deltaBytes = payer.deltaBytes();
  archive.always("deltaBytes", deltaBytes);
  archive.always("why", payer.why);
}

template <typename Archive> void fields(Archive &archive, FunctionDiff &function) {
  archive.always("before", function.kernel.before);
  archive.always("after", function.kernel.after);
  int64_t deltaBytes = function.kernel.deltaBytes();
  archive.always("deltaBytes", deltaBytes);
  archive.always("payers", function.payers);
}

template <typename Archive> void fields(Archive &archive, PipelineFacts &pipeline) {
  lineFields(archive, pipeline.sourceLine);
  archive.always("stages", pipeline.stages);
  archive.always("groups", pipeline.groups);
}

template <typename Archive> void fields(Archive &archive, LaunchFacts &launch) {
  archive.always("kernel", launch.kernel);
  archive.always("threads", launch.threads);
  archive.always("grid", launch.grid);
  archive("cluster", launch.cluster);
}

template <typename Archive> void fields(Archive &archive, CodeFacts &code) {
  archive.always("sound", code.isSound);
  archive("faults", code.faults);
  archive.always("launches", code.launches);
  archive.always("barriers", code.barriers);
  archive.always("copies", code.copies);
  archive.always("pipelines", code.pipelines);
}

template <typename Archive> void fields(Archive &archive, VerdictDiff &verdict) {
  archive.always("question", verdict.question);
  archive.always("before", verdict.before);
  archive.always("after", verdict.after);
  archive("why", verdict.why);
}

template <typename Archive> void fields(Archive &archive, CudaDiff &cuda) {
  archive.always("added", cuda.added);
  archive.always("removed", cuda.removed);
  archive.always("otherComments", cuda.hasOtherComments);
}

template <typename Archive> void fields(Archive &archive, BytesDifference &difference) {
  archive.always("pass", difference.pass);
  archive.always("bytesBefore", difference.bytesBefore);
  archive.always("bytesAfter", difference.bytesAfter);
  archive.always("sides", difference.sides);
}

template <typename Archive> void fields(Archive &archive, CompileDiff &diff) {
  archive.always("scope", diff.scope);
  archive("upTo", diff.upTo);
  archive.always("settings", diff.settings);
  archive.always("functions", diff.functions);
  archive.always("buffers", diff.buffers);
  archive.always("firstIrDifference", diff.firstIrDifference);
  archive.always("firstBytesDifference", diff.firstBytesDifference);
  archive("verdicts", diff.verdicts);
  archive.always("codeBefore", diff.codeBefore);
  archive.always("codeAfter", diff.codeAfter);
  archive.always("cuda", diff.cuda);
}

template <typename Archive> void fields(Archive &archive, KernelComparison &kernel) {
  archive.always("file", kernel.file);
  archive.always("instance", kernel.label);
  archive("fileBefore", kernel.fileBefore);
  archive("instanceBefore", kernel.labelBefore);
  archive("traceBefore", kernel.traceBefore);
  archive("traceAfter", kernel.traceAfter);
  bool isNew = kernel.isNew(), isGone = kernel.isGone();
  archive("new", isNew);
  archive("gone", isGone);
  std::string verdict = nameOf(kernel.verdict());
  archive.always("verdict", verdict);
  std::string summary = summaryOf(kernel);
  archive.always("summary", summary);
  archive.always("reasons", kernel.reasons);
  archive.always("counted", kernel.counted);
  archive("suppressed", kernel.suppressed);
  archive("errorBefore", kernel.errorBefore);
  archive("errorAfter", kernel.errorAfter);
  archive.always("diff", kernel.diff);
}

template <typename Archive> void fields(Archive &archive, DiffReport &report) {
  archive.always("before", report.before);
  archive.always("after", report.after);
  std::string verdict = nameOf(report.verdict());
  archive.always("verdict", verdict);
  std::string headline = headlineOf(report);
  archive.always("headline", headline);
  bool isCounted = report.isCounted();
  archive.always("counted", isCounted);
  std::string by = llvm::any_of(report.kernels, knowsBlocks) ? BlocksWithoutRegisters.str() : "";
  archive("blocksPerSmBy", by);
  archive.always("kernels", report.kernels);
  archive("warnings", report.warnings);
}

} // namespace tilescope
