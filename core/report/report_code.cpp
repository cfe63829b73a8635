#include "core/report/report_parts.h"

#include "core/views/changes_model.h"
#include "core/views/cuda_model.h"
#include "core/views/source_model.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

std::string lineNumber(int32_t line) { return line < 0 ? "" : std::to_string(line + 1); }

void addWords(const std::vector<TextSpan> &words, std::vector<HtmlSpan> &spans) {
  for (const TextSpan &word : words)
    spans.push_back({word.begin, word.end, {.classes = "word"}});
}

// The rows of a pass as lines: of a modified one both sides.
class ChangesWriter {
public:
  ChangesWriter(const ReportTrace &report, const IrView &ir, HtmlWriter &html)
      : report_(report), ir_(ir), html_(html) {}

  void write(const AlignedRow &row) {
    switch (row.kind) {
    case RowKind::Same:
      return writeSide(row, /*isAfter=*/true, "");
    case RowKind::Added:
      return writeSide(row, /*isAfter=*/true, "added");
    case RowKind::Removed:
      return writeSide(row, /*isAfter=*/false, "removed");
    case RowKind::Modified:
      writeSide(row, /*isAfter=*/false, "removed");
      return writeSide(row, /*isAfter=*/true, "added");
    }
  }

  static size_t bytesOf(const IrView &ir, const AlignedRow &row) {
    return (row.before < 0 ? 0 : ir.before[row.before].text.size()) +
           (row.after < 0 ? 0 : ir.lines[row.after].text.size());
  }

private:
  void writeSide(const AlignedRow &row, bool isAfter, const char *classes) {
    const IrLine &line = isAfter ? ir_.lines[row.after] : ir_.before[row.before];
    bool showsBoth = row.kind == RowKind::Same;
    std::vector<HtmlSpan> spans = report_.spansOf(line.names);
    addWords(isAfter ? row.words.after : row.words.before, spans);
    html_.line({.classes = classes,
                .gutter = {{!isAfter || showsBoth ? lineNumber(row.before) : ""},
                           {isAfter ? lineNumber(row.after) : ""},
                           report_.sourceLink(line.sourceLine)},
                .text = line.text,
                .spans = std::move(spans)});
  }

  const ReportTrace &report_;
  const IrView &ir_;
  HtmlWriter &html_;
};

} // namespace

void writeChanges(const ReportTrace &report, size_t pass, ReportPart &part) {
  Selection selection;
  selection.pass = pass;
  ChangesView view = buildChanges(PassState(report.trace, selection.pass));
  size_t changed = view.counts.added + view.counts.removed + view.counts.modified;
  HtmlWriter &html = part.html;
  if (changed == 0)
    return html.element("p", "The text is the same.");
  html.element("p", "Line before, line after, line of the kernel file.", {{"class", "quiet"}});
  html.beginCode();
  ChangesWriter writer(report, view.ir, html);
  std::vector<bool> shown = shownRows(view.ir.rows);
  size_t written = 0;
  for (size_t i = 0; i != shown.size(); ++i) {
    const AlignedRow &row = view.ir.rows[i];
    if (!shown[i])
      continue;
    if (!part.fits(ChangesWriter::bytesOf(view.ir, row), written, changed, "changed lines"))
      break;
    if (i != 0 && !shown[i - 1])
      html.line({.classes = "quiet", .text = "..."});
    writer.write(row);
    written += row.isChange();
  }
  html.end();
  part.sayLeftOut();
}

void writeSource(const ReportTrace &report, ReportPart &part) {
  SourceView view = buildSource(report.trace, report.last);
  HtmlWriter &html = part.html;
  html.element("h2", "Kernel file", {{"id", report.idOf("source")}});
  html.element("p", "Line, and the first CUDA line that it became.", {{"class", "quiet"}});
  html.beginCode();
  for (size_t i = 0; i != view.lines.size(); ++i) {
    const SourceLine &line = view.lines[i];
    if (!part.fits(line.text.size(), i, view.lines.size(), "lines"))
      break;
    auto number = static_cast<uint32_t>(i + 1);
    uint32_t cuda = number < report.cudaOfSource.size() ? report.cudaOfSource[number] : 0;
    html.line({.id = report.sourceTarget(number),
               .classes = line.errorCount ? "removed" : "",
               .gutter = {{std::to_string(number)},
                          {cuda ? std::to_string(cuda) : "", {.target = report.cudaTarget(cuda)}}},
               .text = line.text,
               .spans = report.spansOf(line.names)});
  }
  html.end();
  part.sayLeftOut();
}

void writeCuda(const ReportTrace &report, ReportPart &part) {
  CudaView view = buildCuda(report.trace, report.last);
  HtmlWriter &html = part.html;
  html.element("h2", "CUDA", {{"id", report.idOf("cuda")}});
  if (!view.missing.empty())
    return html.element("p", "There is none: " + view.missing);
  html.element("p", "Line, and the line of the kernel file that it comes from.",
               {{"class", "quiet"}});
  html.beginCode();
  for (size_t i = 0; i != view.lines.size(); ++i) {
    const CudaViewLine &line = view.lines[i];
    if (!part.fits(line.text.size(), i, view.lines.size(), "lines"))
      break;
    html.line({.id = report.cudaTarget(static_cast<uint32_t>(i + 1)),
               .gutter = {{std::to_string(i + 1)}, report.sourceLink(line.sourceLine)},
               .text = line.text,
               .spans = report.spansOf(line.names)});
  }
  html.end();
  part.sayLeftOut();
}

} // namespace tilescope
