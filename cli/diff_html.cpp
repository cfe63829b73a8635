#include "cli/compared_sides.h"
#include "cli/diff_output.h"

#include "core/diff/diff_tables.h"
#include "core/exports/html_writer.h"
#include "core/support/unified_diff.h"
#include "core/views/pictures.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr size_t MaxWarnings = 20;

const char *classOf(DiffVerdict verdict) {
  switch (verdict) {
  case DiffVerdict::Same:
    return "quiet";
  case DiffVerdict::Better:
    return "good";
  case DiffVerdict::Worse:
  case DiffVerdict::NotCompared:
  case DiffVerdict::Failed:
    return "bad";
  default:
    return "";
  }
}

class Page {
public:
  Page(const DiffReport &report, const ComparedSides &sides, size_t maxLength)
      : report_(report), sides_(sides), maxLength_(maxLength) {}

  std::string write() {
    constexpr size_t Reserve = 1000; // for what is said of parts that are left out
    size_t frame = htmlDocument(title(), "").size() + Reserve;
    room_ = maxLength_ > frame ? maxLength_ - frame : 0;
    writeHead();
    writeOverview();
    size_t left = 0;
    for (const KernelComparison *kernel : byWeight(report_))
      left += !kernel->isQuiet() && !writeKernel(*kernel);
    if (left > 0)
      writeLeftOut("The details of " + std::to_string(left), left);
    std::string page = htmlDocument(title(), html_.take());
    return page.size() <= maxLength_ ? page : shortPage();
  }

private:
  std::string title() const { return "tilescope: " + headlineOf(report_); }

  void writeHead() {
    html_.begin("h1");
    html_.run({headlineOf(report_), {.classes = classOf(report_.verdict())}});
    html_.end();
    html_.element("p", "from " + report_.before + " to " + report_.after +
                           (report_.isCounted() ? ". This counts." : ""));
    size_t shown = std::min(report_.warnings.size(), MaxWarnings);
    for (const std::string &warning : llvm::ArrayRef(report_.warnings).take_front(shown))
      html_.element("p", "warning: " + warning);
    if (shown < report_.warnings.size())
      html_.element("p", std::to_string(report_.warnings.size() - shown) + " more warnings");
  }

  void writeLeftOut(const std::string &what, size_t kernels) {
    html_.element("p", llvm::formatv("{0} {1} were left out: the page would have more than {2} "
                                     "bytes.",
                                     what, kernels == 1 ? "kernel" : "kernels", maxLength_)
                           .str());
  }

  // Names and messages alone are longer than the page may be.
  std::string shortPage() {
    HtmlWriter html;
    html.element("p",
                 llvm::formatv("The comparison of {0} kernels was left out: it would have more "
                               "than {1} bytes. The worst verdict is: {2}.",
                               report_.kernels.size(), maxLength_, nameOf(report_.verdict()))
                     .str());
    return htmlDocument("tilescope", html.take());
  }

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
    size_t left = 0;
    for (const KernelComparison *kernel : byWeight(report_)) {
      size_t begin = html_.sizeBytes();
      for (const DiffFigures &figures : figuresOf(*kernel))
        html_.row({{figures.kernel, {.target = kernel->isQuiet() ? "" : idOf(*kernel)}},
                   {figures.verdict, {.classes = classOf(kernel->verdict())}},
                   {figures.peak},
                   {figures.delta},
                   {figures.capacity},
                   {figures.blocks}});
      if (html_.sizeBytes() <= room_)
        continue;
      html_.dropAfter(begin);
      ++left;
    }
    html_.end();
    if (llvm::any_of(report_.kernels, knowsBlocks))
      html_.element("p", blocksNote());
    if (left > 0)
      writeLeftOut(std::to_string(left), left);
  }

  // A file may list an instance twice.
  std::string idOf(const KernelComparison &kernel) const {
    size_t index = &kernel - report_.kernels.data();
    return tilescope::idOf("kernel", std::to_string(index) + " " + kernel.name());
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
    if (kernel.hasDetails())
      writeDiff(kernel);
    html_.end();
    if (html_.sizeBytes() <= room_)
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
    if (kernel.isCompared() || kernel.diff->scope == DiffScope::UpToFailure)
      writeTraces(kernel);
  }

  void writeTraces(const KernelComparison &kernel) {
    std::optional<ComparedCompile> readBefore, readAfter;
    auto before = withTrace(sides_.before[*kernel.before], readBefore);
    auto after = withTrace(sides_.after[*kernel.after], readAfter);
    if (before && after)
      return writeTraces(*(*before)->trace, *(*after)->trace, kernel);
    // It was there when it was compared.
    html_.element("p", llvm::toString(llvm::joinErrors(before.takeError(), after.takeError())));
  }

  void writeTraces(const Trace &before, const Trace &after, const KernelComparison &kernel) {
    writeArenas(before, after, idOf(kernel));
    if (kernel.diff->scope != DiffScope::PlanAlone)
      writeLines("kernel file", before.header.fileText, after.header.fileText);
    if (kernel.diff->scope == DiffScope::Whole)
      writeLines("CUDA", before.cuda, after.cuda);
  }

  void writeArenas(const Trace &before, const Trace &after, const std::string &place) {
    ArenaPictures arenas = drawArenaPictures(before, after);
    html_.begin("div", {{"class", "pair"}});
    for (const auto &[title, picture] : {std::pair("shared memory before", &arenas.before),
                                         std::pair("shared memory after", &arenas.after)}) {
      html_.beginDetails(title, /*isOpen=*/true);
      html_.svg(*picture, place + title);
      html_.end();
    }
    html_.end();
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
  size_t room_ = 0; // of what lies between head and end of the document
  HtmlWriter html_;
};

} // namespace

std::string htmlOf(const DiffReport &report, const ComparedSides &sides, size_t maxLength) {
  return Page(report, sides, maxLength).write();
}

} // namespace tilescope
