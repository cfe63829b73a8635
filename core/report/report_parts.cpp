#include "core/report/report_parts.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"
#include "core/views/arena_model.h"
#include "core/views/findings_model.h"
#include "core/views/passes_model.h"
#include "core/views/peak_model.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

// Of one fact of the heading; a trace may claim anything.
constexpr size_t MaxFactBytes = 400;

std::string clipped(llvm::StringRef text) {
  return text.size() <= MaxFactBytes ? text.str() : text.take_front(MaxFactBytes).str() + "...";
}

void writeFact(HtmlWriter &html, llvm::StringRef name, llvm::StringRef value) {
  if (!value.empty())
    html.row({{name.str(), {.classes = "quiet"}}, {clipped(value)}});
}

std::string argumentsText(const TraceHeader &header) {
  std::string text;
  for (const TraceParameter &parameter : header.parameters)
    text += (text.empty() ? "" : ", ") + parameter.name + "=" + parameter.value;
  return text;
}

std::string peakText(const ArenaFunction &function) {
  std::string text = groupedNumber(function.peakBytes);
  if (function.capacityBytes > 0)
    text += " of " + groupedNumber(function.capacityBytes);
  text += function.preview ? " bytes (preview)" : " bytes";
  if (!function.certificate.empty())
    text += "; " + function.certificate;
  if (function.occupancy)
    text += "; " + toText(*function.occupancy);
  return text;
}

// "nothing was found; not established: IR verified, free of hazards".
std::string checksText(const FindingsView &view) {
  std::string text = view.isClean() ? "nothing was found" : "see the findings";
  const char *separator = "; not established: ";
  for (const FindingGap &gap : view.notEstablished) {
    text += separator + gap.question;
    separator = ", ";
  }
  return text;
}

} // namespace

ReportTrace::ReportTrace(const Trace &trace, const Judgement &judgement, std::string scope)
    : trace(trace), judgement(judgement), scope(std::move(scope)), hues(BufferHues::of(trace)) {
  last.pass = trace.passes.size() - 1;
  auto buffersAfter = [&](size_t pass) {
    return trace.snapshots[trace.passes[pass].snapshot].buffers;
  };
  for (size_t pass = 0; pass <= last.pass; ++pass) {
    if (pass != last.pass && buffersAfter(pass) == buffersAfter(pass + 1))
      continue; // the next pass has them too
    for (const BufferRecord &record : *buffersAfter(pass))
      buffers[record.id] = {record, pass};
  }
  cudaOfSource.resize(sourceLinesOf(trace).size() + 1);
  for (const CudaLine &line : trace.cudaMap)
    if (line.span.line < cudaOfSource.size() && cudaOfSource[line.span.line] == 0)
      cudaOfSource[line.span.line] = line.line;
}

std::string ReportTrace::sourceTarget(uint32_t line) const {
  return line == 0 || line >= cudaOfSource.size() ? "" : idOf("source-" + std::to_string(line));
}

std::string ReportTrace::cudaTarget(uint32_t line) const {
  return line == 0 ? "" : idOf("cuda-" + std::to_string(line));
}

HtmlLook ReportTrace::lookOf(BufferId buffer) const {
  auto found = buffers.find(buffer);
  if (found == buffers.end())
    return {};
  const BufferRecord &record = found->second.record;
  HtmlLook look;
  look.target = idOf("buffer-" + std::to_string(buffer.value));
  if (isShared(record.scope))
    look.hueDegrees = hues.hueOf(record.key);
  look.tooltip = typeText(record);
  return look;
}

std::vector<HtmlSpan> ReportTrace::spansOf(const std::vector<BufferSpan> &names) const {
  std::vector<HtmlSpan> spans;
  spans.reserve(names.size());
  for (const BufferSpan &name : names)
    spans.push_back({name.begin, name.end, lookOf(name.buffer)});
  return spans;
}

HtmlRun ReportTrace::sourceLink(const KernelLine &line) const {
  return {lineText(line),
          {.target = sourceTarget(line.number), .tooltip = line.isCarried ? CarriedMeaning : ""}};
}

std::string ReportTrace::passTarget(size_t pass) const {
  return idOf("pass-" + std::to_string(pass));
}

std::string ReportTrace::changesTarget(size_t pass) const {
  bool isShown =
      pass > 0 && trace.passes[pass].status != PassStatus::Unchanged && !isOnlyGroup(trace, pass);
  return isShown ? idOf("changes-" + std::to_string(pass)) : "";
}

bool ReportPart::fits(size_t textBytes, size_t count, size_t total, llvm::StringRef things) {
  // Entities, links and hues; a part that grows more is left out whole.
  constexpr size_t Overhead = 2000;
  if (html.sizeBytes() + 2 * textBytes + Overhead <= maxBytes)
    return true;
  leftOut = llvm::formatv(count == 0 ? "all {1} {2}" : "all but the first {0} of {1} {2}",
                          groupedNumber(static_cast<int64_t>(count)),
                          groupedNumber(static_cast<int64_t>(total)), things);
  return false;
}

void ReportPart::sayLeftOut() {
  if (!leftOut.empty())
    html.element("p", "left out here: " + leftOut, {{"class", "bad"}});
}

void writeHeading(const ReportTrace &report, HtmlWriter &html) {
  const TraceHeader &header = report.trace.header;
  PassesView passes = buildPasses(report.trace, report.last);
  html.element("h1", clipped(llvm::sys::path::filename(passes.kernel)));
  html.begin("p");
  for (auto [target, name] : {std::pair("memory", "Shared memory"), std::pair("buffers", "Buffers"),
                              std::pair("passes", "Passes"), std::pair("changes", "Changes"),
                              std::pair("remarks", "Remarks"), std::pair("source", "Kernel file"),
                              std::pair("cuda", "CUDA")}) {
    html.run({name, {.target = report.idOf(target)}});
    html.text(" \u00a0 ");
  }
  html.end();
  html.beginTable({{"fact"}, {"value"}});
  writeFact(html, "kernel file", header.file);
  writeFact(html, "target", header.target);
  writeFact(html, "arguments", argumentsText(header));
  writeFact(html, "options", passes.options);
  writeFact(html, "pipeline", header.pipeline);
  FindingsView findings = buildFindings(report.trace, report.last);
  writeFact(html, "checks", checksText(findings));
  for (const ArenaFunction &function :
       buildArena(PassState(report.trace, report.last.pass)).functions)
    writeFact(html, "shared memory of " + function.function, peakText(function));
  writeFact(html, "compiler", header.compiler);
  writeFact(html, "recorded by", "tilescope " + header.toolVersion);
  html.end();
}

void writeFindings(const ReportTrace &report, ReportPart &part) {
  FindingsView view = findingsOf(report.trace, report.judgement);
  HtmlWriter &html = part.html;
  html.element("h2", "Findings", {{"id", report.idOf("findings")}});
  html.beginTable({{"check"}, {"answer"}});
  for (const FindingAnswer &answer : answersOf(view)) {
    std::string text =
        std::string(textOf(answer.verdict)) + (answer.why.empty() ? "" : ": " + answer.why);
    bool isBad = answer.verdict == Verdict::No;
    html.row({{answer.question}, {clipped(text), {.classes = isBad ? "bad" : ""}}});
  }
  html.end();
  if (!view.lost.empty())
    html.element("p", "not read: " + clipped(view.lost), {{"class", "bad"}});
  if (view.findings.empty())
    return;
  html.beginTable({{"severity"}, {"line", true}, {"finding"}});
  for (size_t i = 0; i != view.findings.size(); ++i) {
    const FindingRow &row = view.findings[i];
    std::string text = row.text;
    for (const FindingNote &note : row.notes)
      text += "; " + note.text;
    if (text.size() > part.maxBytes / 16)
      text = clipped(text);
    html.row({{row.severity, {.classes = row.severity == "error" ? "bad" : ""}},
              report.sourceLink(row.sourceLine),
              {text + " [" + row.id + "]"}});
    if (!part.fits(text.size(), i + 1, view.findings.size(), "findings"))
      break;
  }
  html.end();
  part.sayLeftOut();
}

void writePeak(const ReportTrace &report, ReportPart &part) {
  HtmlWriter &html = part.html;
  html.element("h2", "Shared memory", {{"id", report.idOf("memory")}});
  html.beginDetails("what makes the peak, and what would lower it", /*isOpen=*/true);
  std::string text;
  llvm::raw_string_ostream out(text);
  print(buildPeak(PassState(report.trace, report.last.pass)), out);
  html.begin("pre");
  html.element("span", text);
  html.end();
  html.end();
}

} // namespace tilescope
