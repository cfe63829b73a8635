#include "cli/diff_output.h"

#include "core/diff/diff_tables.h"
#include "core/exports/html_writer.h"
#include "core/support/unified_diff.h"
#include "viewer/model/pictures.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

class Page {
public:
  Page(const DiffReport &report, const ComparedSides &sides, size_t maxLength)
      : report_(report), sides_(sides), maxLength_(maxLength) {}

  std::string write() {
    html_.element("h1", headlineOf(report_));
    html_.element("p", "from " + report_.before + " to " + report_.after +
                           (report_.isCounted() ? ". This counts." : ""));
    for (const std::string &warning : report_.warnings)
      html_.element("p", "warning: " + warning);
    writeOverview();
    size_t left = 0;
    for (const KernelComparison *kernel : byWeight(report_))
      left += !kernel->isQuiet() && !writeKernel(*kernel);
    if (left > 0)
      html_.element("p", llvm::formatv("The details of {0} {1} were left out: the page would have "
                                       "more than {2} bytes.",
                                       left, left == 1 ? "kernel" : "kernels", maxLength_)
                             .str());
    return htmlDocument("tilescope: " + headlineOf(report_), html_.take());
  }

private:
  void writeTable(const DiffTable &table) {
    html_.element("h3", table.title);
    std::vector<HtmlColumn> columns;
    for (const std::string &title : table.rows.front())
      columns.push_back({title, columns.size() >= table.leftColumns});
    html_.beginTable(columns);
    for (size_t row = 1; row < table.rows.size(); ++row) {
      std::vector<HtmlRun> cells;
      for (const std::string &cell : table.rows[row])
        cells.push_back({cell});
      html_.row(cells);
    }
    html_.end();
  }

  void writeOverview() {
    html_.beginTable({{"kernel"},
                      {"verdict"},
                      {"peak bytes", true},
                      {"change", true},
                      {"of capacity", true},
                      {"blocks/SM", true}});
    for (const KernelComparison *kernel : byWeight(report_))
      for (const DiffFigures &figures : figuresOf(*kernel))
        html_.row({{figures.kernel, {.target = kernel->isQuiet() ? "" : idOf(*kernel)}},
                   {figures.verdict},
                   {figures.peak},
                   {figures.delta},
                   {figures.capacity},
                   {figures.blocks}});
    html_.end();
  }

  static std::string idOf(const KernelComparison &kernel) {
    return tilescope::idOf("kernel", kernel.name());
  }

  // False: it would make the page too long, and was left out.
  bool writeKernel(const KernelComparison &kernel) {
    size_t begin = html_.sizeBytes();
    html_.beginDetails(kernel.name() + ": " + summaryOf(kernel),
                       /*isOpen=*/&kernel == byWeight(report_).front(), idOf(kernel));
    if (!kernel.counted.empty())
      html_.element("p", "counts: " + llvm::join(kernel.counted, ", "));
    if (!kernel.suppressed.empty())
      html_.element("p", "suppressed: " + llvm::join(kernel.suppressed, ", "));
    if (kernel.diff && !kernel.diff->isNew)
      writeDiff(kernel);
    html_.end();
    if (html_.sizeBytes() <= maxLength_)
      return true;
    html_.dropAfter(begin);
    return false;
  }

  void writeDiff(const KernelComparison &kernel) {
    for (const DiffTable &table : tablesOf(*kernel.diff))
      writeTable(table);
    html_.begin("ul");
    for (const std::string &sentence : sentencesOf(*kernel.diff))
      html_.element("li", sentence);
    html_.end();
    if (!kernel.before || !sides_.before[*kernel.before].trace)
      return;
    const Trace &before = *sides_.before[*kernel.before].trace;
    const Trace &after = *sides_.after[*kernel.after].trace;
    writeArenas(before, after);
    writeLines("kernel file", before.header.fileText, after.header.fileText);
    writeLines("CUDA", before.cuda, after.cuda);
  }

  void writeArenas(const Trace &before, const Trace &after) {
    for (const Trace *trace : {&before, &after}) {
      Selection selection;
      selection.pass = trace->passes.size() - 1;
      html_.beginDetails(trace == &before ? "shared memory before" : "shared memory after", true);
      html_.svg(pictureOf("arena")->draw(*trace, selection));
      html_.end();
    }
  }

  void writeLines(llvm::StringRef what, const std::string &before, const std::string &after) {
    std::string diff = makeUnifiedDiff(before, after, what);
    if (diff.empty())
      return;
    html_.beginDetails(("changed lines of the " + what).str());
    html_.beginCode();
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(diff).rtrim('\n').split(lines, '\n');
    for (llvm::StringRef line : llvm::ArrayRef(lines).drop_front(2)) {
      llvm::StringRef classes = line.starts_with("+")   ? "added"
                                : line.starts_with("-") ? "removed"
                                                        : "";
      html_.line({.classes = classes.str(), .text = line.str()});
    }
    html_.end();
    html_.end();
  }

  const DiffReport &report_;
  const ComparedSides &sides_;
  size_t maxLength_;
  HtmlWriter html_;
};

} // namespace

std::string htmlOf(const DiffReport &report, const ComparedSides &sides, size_t maxLength) {
  return Page(report, sides, maxLength).write();
}

} // namespace tilescope
