#include "core/report/instances_page.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

// Head and end of the document, the style sheet, and what is said of parts that are left out.
constexpr size_t FrameBytes = size_t(16) << 10;
// Of a row that is still to come, as a rule.
constexpr size_t RowBytes = 600;
// A report that may not be longer says next to nothing.
constexpr size_t LeastRoom = size_t(24) << 10;
constexpr size_t MaxListed = 20;
// Of one cell; a trace may claim anything.
constexpr size_t MaxCellBytes = 200;

std::string clippedCell(llvm::StringRef text) {
  return text.size() <= MaxCellBytes ? text.str() : text.take_front(MaxCellBytes).str() + "...";
}

const char *classOfRow(const InstanceRow &row) {
  if (!row.error.empty() || row.sound == Verdict::No)
    return "bad";
  return row.sound == Verdict::Yes ? "good" : "quiet";
}

} // namespace

InstancesPage::InstancesPage(std::string folder, size_t count, size_t maxBytes)
    : folder_(std::move(folder)), left_(count), maxBytes_(std::max(maxBytes, LeastReportBytes)) {
  std::vector<HtmlColumn> columns;
  for (const std::string &title : instanceTitles())
    columns.push_back({title, title == "peak bytes"});
  table_.beginTable(columns);
}

void InstancesPage::writeRow(const InstanceRow &row, const std::string &target) {
  std::vector<HtmlRun> cells;
  for (const std::string &cell : instanceCells(row))
    cells.push_back({clippedCell(cell)});
  cells.front().look.target = target;
  cells[SoundColumn].look.classes = classOfRow(row);
  if (!row.error.empty())
    cells[SoundColumn].text = clippedCell(row.error);
  size_t begin = table_.sizeBytes();
  table_.row(cells);
  ++written_;
  if (FrameBytes + table_.sizeBytes() + reports_.size() <= maxBytes_)
    return;
  table_.dropAfter(begin);
  ++rowsLeftOut_;
}

size_t InstancesPage::roomOfNext() const {
  size_t used = FrameBytes + table_.sizeBytes() + reports_.size() + left_ * RowBytes;
  return used < maxBytes_ ? (maxBytes_ - used) / left_ : 0;
}

void InstancesPage::add(const InstanceRow &row, const Trace &trace, const Judgement &judgement) {
  std::string id = "i" + std::to_string(written_);
  std::string name =
      clippedCell(row.kernel + " " + row.arguments) + " (" + clippedCell(row.trace) + ")";
  size_t room = roomOfNext();
  --left_;
  if (room < LeastRoom) {
    leftOut_.push_back("the report of " + name);
    return writeRow(row, "");
  }
  HtmlWriter html;
  html.beginDetails(name, /*isOpen=*/false, id);
  HtmlReport report = buildReportBody(trace, judgement, room - RowBytes, id + "-");
  html.append(report.page);
  html.end();
  reports_ += html.take();
  for (const std::string &part : report.leftOut)
    leftOut_.push_back(llvm::formatv("{0}: {1}", name, part));
  writeRow(row, id);
}

void InstancesPage::add(const InstanceRow &row) {
  --left_;
  writeRow(row, "");
}

HtmlReport InstancesPage::take() {
  table_.end();
  if (rowsLeftOut_ > 0)
    leftOut_.push_back(llvm::formatv("{0} rows of the table", rowsLeftOut_));
  HtmlWriter html;
  html.element("h1", clippedCell(folder_));
  html.element("p", llvm::formatv("{0} {1}, as recorded; each has its report below.", written_,
                                  written_ == 1 ? "instance" : "instances")
                        .str());
  if (!leftOut_.empty())
    html.element("p", "This page is not whole: a larger --max-size makes room for the rest.",
                 {{"class", "bad"}});
  for (const std::string &part : llvm::ArrayRef(leftOut_).take_front(MaxListed))
    html.element("p", "left out: " + clippedCell(part));
  if (leftOut_.size() > MaxListed)
    html.element("p", llvm::formatv("and {0} more", leftOut_.size() - MaxListed).str());
  return {htmlDocument(clippedCell(folder_), html.take() + table_.take() + reports_),
          std::move(leftOut_)};
}

} // namespace tilescope
