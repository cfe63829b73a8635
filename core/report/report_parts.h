// The parts of a report. Each fills a writer of its own until it reaches its limit, and says what
// it left out.
#pragma once

#include "core/exports/html_writer.h"
#include "core/trace/buffer_hues.h"
#include "core/trace/judgement.h"
#include "core/views/buffer_names.h"
#include "core/views/view.h"

#include <map>

namespace tilescope {

// A buffer of any snapshot, as it was when it was last seen.
struct ReportBuffer {
  BufferRecord record;
  size_t lastPass = 0; // that had it
};

struct ReportTrace {
  const Trace &trace;
  const Judgement &judgement; // of the last state
  std::string scope;          // what its ids begin with on a page of several reports; ""
  Selection last;             // the state after the last pass
  std::map<BufferId, ReportBuffer> buffers;
  BufferHues hues;
  std::vector<uint32_t> cudaOfSource; // by line of the kernel file, from 1: its first CUDA line; 0

  ReportTrace(const Trace &trace, const Judgement &judgement, std::string scope);

  std::string idOf(const std::string &name) const { return scope + name; }
  // Of its row in the table of passes.
  std::string passTarget(size_t pass) const;
  // Of what it changed; "" if the page does not show it: it changed nothing, or is a group, which
  // repeats what its passes did.
  std::string changesTarget(size_t pass) const;
  // "" where the page has no such place.
  std::string sourceTarget(uint32_t line) const;
  std::string cudaTarget(uint32_t line) const;
  HtmlLook lookOf(BufferId buffer) const;
  std::vector<HtmlSpan> spansOf(const std::vector<BufferSpan> &names) const;
  HtmlRun sourceLink(const KernelLine &line) const; // its number
};

// One part: what is written, and how much may be.
struct ReportPart {
  HtmlWriter html = {};
  size_t maxBytes = 0;
  std::string leftOut = {}; // "all but the first 200 of 3,000 lines"; ""

  // Whether a line or row of so many bytes of text still fits. If not, `count` of `total` `things`
  // are written; to be said where the table or the code has ended.
  bool fits(size_t textBytes, size_t count, size_t total, llvm::StringRef things);
  void sayLeftOut();
};

void writeHeading(const ReportTrace &report, HtmlWriter &html);
void writeFindings(const ReportTrace &report, ReportPart &part);
void writePeak(const ReportTrace &report, ReportPart &part);
void writeBuffers(const ReportTrace &report, ReportPart &part);
void writePasses(const ReportTrace &report, ReportPart &part);
void writeRemarks(const ReportTrace &report, ReportPart &part);
void writeSource(const ReportTrace &report, ReportPart &part);
void writeCuda(const ReportTrace &report, ReportPart &part);
// What a pass changed in the IR, line by line.
void writeChanges(const ReportTrace &report, size_t pass, ReportPart &part);

} // namespace tilescope
