#include "core/report/report_parts.h"

#include "core/trace/trace_queries.h"
#include "core/views/passes_model.h"
#include "core/views/remarks_model.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// The first CUDA line that names each buffer.
std::map<BufferId, uint32_t> cudaOfBuffers(const Trace &trace) {
  std::map<BufferId, uint32_t> lines;
  for (const CudaLine &line : trace.cudaMap)
    for (BufferId buffer : line.buffers)
      lines.try_emplace(buffer, line.line);
  return lines;
}

HtmlRun originOf(const ReportTrace &report, const BufferRecord &record) {
  auto found = report.buffers.find(record.origin);
  if (found == report.buffers.end())
    return {};
  return {found->second.record.name, report.lookOf(record.origin)};
}

HtmlRun numberCell(const std::optional<int64_t> &value) {
  return {value ? groupedNumber(*value) : ""};
}

std::string deltaText(const PassRow &row) {
  return row.sharedDeltaBytes == 0 ? "" : signedNumber(row.sharedDeltaBytes);
}

HtmlRun nameCell(const ReportTrace &report, const PassRow &row) {
  std::string indentation;
  for (int depth = 0; depth < std::min(row.depth, 16); ++depth)
    indentation += "\u00a0\u00a0";
  const char *classes = row.failed ? "bad" : row.changed ? "" : "quiet";
  return {indentation + row.name, {.target = report.changesTarget(row.index), .classes = classes}};
}

} // namespace

void writeBuffers(const ReportTrace &report, ReportPart &part) {
  HtmlWriter &html = part.html;
  html.element("h2", "Buffers", {{"id", report.idOf("buffers")}});
  html.element("p", "Bytes of all versions; places after the last pass that has the buffer.",
               {{"class", "quiet"}});
  html.beginTable({{"buffer"},
                   {"scope"},
                   {"type"},
                   {"bytes", true},
                   {"offset", true},
                   {"layout"},
                   {"made from"},
                   {"line", true},
                   {"CUDA", true},
                   {"gone after"}});
  std::map<BufferId, uint32_t> cuda = cudaOfBuffers(report.trace);
  size_t count = 0;
  for (const auto &[id, buffer] : report.buffers) {
    const BufferRecord &record = buffer.record;
    std::string type = typeText(record);
    if (!part.fits(record.name.size() + type.size() + record.layout.size(), count++,
                   report.buffers.size(), "buffers"))
      break;
    HtmlLook look = report.lookOf(id);
    std::string target = std::exchange(look.target, "");
    auto found = cuda.find(id);
    HtmlRun cudaLink;
    if (found != cuda.end())
      cudaLink = {std::to_string(found->second), {.target = report.cudaTarget(found->second)}};
    bool isGone = buffer.lastPass != report.last.pass;
    html.row({{record.name, std::move(look)},
              {nameOf(record.scope), {.classes = "whole"}},
              {std::move(type)},
              numberCell(record.sizeBytes),
              numberCell(record.offsetBytes),
              {record.layout},
              originOf(report, record),
              report.sourceLink(record.span.line),
              std::move(cudaLink),
              {isGone ? report.trace.passes[buffer.lastPass].name : ""}},
             target);
  }
  html.end();
  part.sayLeftOut();
}

void writePasses(const ReportTrace &report, ReportPart &part) {
  PassesView view = buildPasses(report.trace, report.last);
  HtmlWriter &html = part.html;
  html.element("h2", "Passes", {{"id", report.idOf("passes")}});
  html.beginTable({{"", true},
                   {"pass"},
                   {"options"},
                   {"lines added", true},
                   {"removed", true},
                   {"shared bytes", true},
                   {"change", true},
                   {"\u00b5s", true},
                   {"remarks", true},
                   {"checks"}});
  for (const PassRow &row : view.passes) {
    if (!part.fits(row.name.size() + row.options.size(), row.index, view.passes.size(), "passes"))
      break;
    html.row({{std::to_string(row.index)},
              nameCell(report, row),
              {row.options},
              {row.linesAdded ? groupedNumber(row.linesAdded) : ""},
              {row.linesRemoved ? groupedNumber(row.linesRemoved) : ""},
              {groupedNumber(row.sharedBytes),
               {.classes = row.sharedIsPreview ? "quiet" : "",
                .tooltip = row.sharedIsPreview ? "a preview" : ""}},
              {deltaText(row)},
              {groupedNumber(row.wallMicroseconds)},
              {row.remarkCount ? std::to_string(row.remarkCount) : ""},
              {row.checks}},
             report.passTarget(row.index));
  }
  html.end();
  part.sayLeftOut();
  if (!view.notRun.empty())
    html.element("p", llvm::formatv("{0} passes did not run.", view.notRun.size()).str(),
                 {{"class", "bad"}});
}

void writeRemarks(const ReportTrace &report, ReportPart &part) {
  RemarksView view = buildRemarks(report.trace, report.last);
  HtmlWriter &html = part.html;
  html.element("h2", "Remarks", {{"id", report.idOf("remarks")}});
  html.beginTable({{"pass"}, {"line", true}, {"remark"}, {""}});
  for (size_t i = 0; i != view.remarks.size(); ++i) {
    const RemarkRow &row = view.remarks[i];
    if (!part.fits(row.text.size(), i, view.remarks.size(), "remarks"))
      break;
    html.row({{row.pass, {.target = report.passTarget(row.passIndex)}},
              report.sourceLink(row.sourceLine),
              {sentenceOf(row)},
              {row.id, {.classes = "quiet"}}});
  }
  html.end();
  part.sayLeftOut();
}

} // namespace tilescope
