#include "core/sweep/sweep_report.h"

#include "core/json/json_schema.h"
#include "core/support/csv_line.h"
#include "core/support/number_text.h"
#include "core/sweep/pareto.h"
#include "core/target/register_limit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

// A row as scripts get it.
struct ReportedRow {
  SweepPoint point;
  SweepRow row;
  bool isPareto = false;
  std::map<std::string, std::string> arguments;
  std::map<std::string, std::string> passOptions;
};

template <typename Archive> void fields(Archive &archive, ReportedRow &reported) {
  archive.always("point", reported.row.point);
  archive.always("target", reported.point.target);
  archive.always("arguments", reported.arguments);
  archive("passOptions", reported.passOptions);
  archive.always("pareto", reported.isPareto);
  archive("error", reported.row.error);
  archive("problem", reported.row.problem);
  figureFields(archive, reported.row.figures);
}

struct SweepReport {
  SweepHeader header;
  int64_t failed = 0;
  std::vector<ReportedRow> points;
};

template <typename Archive> void fields(Archive &archive, SweepReport &report) {
  archive.always("kernel", report.header.kernel);
  archive.always("targets", report.header.grid.targets);
  archive.always("axes", report.header.grid.axes);
  archive("planFor", report.header.planFor);
  archive("patches", report.header.patches);
  archive("gpu", report.header.gpu);
  archive.always("failed", report.failed);
  archive.always("points", report.points);
}

namespace {

std::vector<ReportedRow> reportedRows(const SweepJournal &sweep) {
  std::vector<ReportedRow> reported;
  std::vector<bool> marks = paretoMarks(sweep.header.grid, sweep.rows);
  for (const auto &[row, isPareto] : llvm::zip_equal(sweep.rows, marks)) {
    ReportedRow one{sweep.header.grid.point(row.point), row, isPareto, {}, {}};
    one.arguments.insert(one.point.arguments.begin(), one.point.arguments.end());
    one.passOptions.insert(one.point.passOptions.begin(), one.point.passOptions.end());
    reported.push_back(std::move(one));
  }
  return reported;
}

bool anyFailed(const SweepJournal &sweep) {
  return llvm::any_of(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
}

// A figure's heading in the table and in CSV.
struct Column {
  const char *title;
  const char *key;
};

std::vector<Column> columnsOf(const SweepHeader &header) {
  std::vector<Column> columns{
      {"peak bytes", "peakBytes"},  {"proof", "proof"},          {"global bytes", "globalBytes"},
      {"blocks/SM", "blocksPerSm"}, {"limited by", "limitedBy"}, {"barriers", "barriers"},
      {"stages", "stages"}};
  if (header.usesPtxas)
    llvm::append_range(
        columns, std::vector<Column>{{"registers", "registers"}, {"spill bytes", "spillBytes"}});
  if (!header.gpu.empty())
    llvm::append_range(columns, std::vector<Column>{{"median ns", "medianNs"},
                                                    {"SM MHz", "smMhz"},
                                                    {"watts", "watts"},
                                                    {"celsius", "celsius"},
                                                    {"slowed by", "slowedBy"}});
  return columns;
}

using NumberText = std::string (*)(int64_t);

// One a column. Empty where a row has none; `unknown` where only the launch knows one.
std::vector<std::string> figureCells(const SweepRow &row, const SweepHeader &header,
                                     NumberText text, llvm::StringRef unknown) {
  auto known = [&](std::optional<int64_t> value) { return value ? text(*value) : unknown.str(); };
  const SweepFigures &figures = row.figures;
  if (!row.error.empty())
    return std::vector<std::string>(columnsOf(header).size());
  std::vector<std::string> cells{text(figures.peakBytes),
                                 figures.proof,
                                 known(figures.globalBytes),
                                 known(figures.blocksPerSm),
                                 llvm::join(figures.limitedBy, "+"),
                                 text(figures.barriers),
                                 text(figures.stages)};
  if (header.usesPtxas) {
    cells.push_back(known(figures.registers));
    cells.push_back(known(figures.spillBytes));
  }
  if (!header.gpu.empty()) {
    cells.push_back(known(figures.medianNs));
    for (std::optional<int64_t> figure : {figures.smMhz, figures.watts, figures.celsius})
      cells.push_back(figure ? text(*figure) : "");
    cells.push_back(llvm::join(figures.slowedBy, "+"));
  }
  return cells;
}

// Of points that are compared: one target, one problem.
std::string fastestText(const SweepJournal &sweep) {
  const SweepRow *fastest = nullptr;
  for (const SweepRow &row : sweep.rows)
    if (row.figures.medianNs && (!fastest || *row.figures.medianNs < *fastest->figures.medianNs))
      fastest = &row;
  if (!fastest || sweep.header.grid.targets.size() > 1 || countProblems(sweep.rows) > 1)
    return "";
  std::string text = ", fastest " + groupedNumber(*fastest->figures.medianNs) + " ns";
  for (const auto &[axis, setting] :
       llvm::zip_equal(sweep.header.grid.axes, sweep.header.grid.point(fastest->point).settings()))
    if (axis.values.size() > 1)
      text += " " + setting.first + "=" + setting.second;
  return text;
}

std::string plainNumber(int64_t value) { return std::to_string(value); }

void writeCsvLine(llvm::ArrayRef<std::string> cells, std::string &csv) {
  for (const auto &[i, cell] : llvm::enumerate(cells))
    csv += (i == 0 ? "" : ",") + csvField(cell);
  csv += "\n";
}

} // namespace

TextTable sweepTable(const SweepJournal &sweep) {
  const SweepGrid &grid = sweep.header.grid;
  bool hasTargets = grid.targets.size() > 1, hasErrors = anyFailed(sweep);
  TextTable table(1);
  table[0].emplace_back();
  if (hasTargets)
    table[0].emplace_back("target");
  for (const SweepAxis &axis : grid.axes)
    if (axis.values.size() > 1)
      table[0].push_back(axis.name);
  for (const Column &column : columnsOf(sweep.header))
    table[0].emplace_back(column.title);
  if (hasErrors)
    table[0].emplace_back("error");
  for (const ReportedRow &reported : reportedRows(sweep)) {
    std::vector<std::string> &cells = table.emplace_back();
    cells.emplace_back(reported.isPareto ? "*" : "");
    if (hasTargets)
      cells.push_back(reported.point.target);
    for (const auto &[axis, setting] : llvm::zip_equal(grid.axes, reported.point.settings()))
      if (axis.values.size() > 1)
        cells.push_back(setting.second);
    llvm::append_range(cells, figureCells(reported.row, sweep.header, groupedNumber, "unknown"));
    if (hasErrors)
      cells.push_back(reported.row.error);
  }
  return table;
}

std::string sweepCsv(const SweepJournal &sweep) {
  std::vector<std::string> heading{"target"};
  for (const SweepAxis &axis : sweep.header.grid.axes)
    heading.push_back(axis.name);
  for (const Column &column : columnsOf(sweep.header))
    heading.emplace_back(column.key);
  llvm::append_range(heading, std::vector<std::string>{"pareto", "error"});
  std::string csv;
  writeCsvLine(heading, csv);
  for (const ReportedRow &reported : reportedRows(sweep)) {
    std::vector<std::string> cells{reported.point.target};
    for (const auto &[name, value] : reported.point.settings())
      cells.push_back(value);
    llvm::append_range(cells, figureCells(reported.row, sweep.header, plainNumber, ""));
    cells.emplace_back(reported.isPareto ? "1" : "0");
    cells.push_back(reported.row.error);
    writeCsvLine(cells, csv);
  }
  return csv;
}

// An integer or a decimal fraction is a number; everything else is the text that was given.
static void writeNumbers(Json &values) {
  for (Json &value : values) {
    llvm::StringRef text = value.get_ref<const std::string &>();
    int64_t integer = 0;
    double fraction = 0;
    if (!text.getAsInteger(10, integer))
      value = integer;
    else if (text.contains('.') && !text.getAsDouble(fraction))
      value = fraction;
  }
}

Json sweepJson(const SweepJournal &sweep) {
  SweepReport report;
  report.header = sweep.header;
  report.points = reportedRows(sweep);
  report.failed =
      llvm::count_if(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
  Json json = toJson(report);
  for (Json &axis : json["axes"])
    writeNumbers(axis["values"]);
  for (Json &point : json["points"])
    for (const char *settings : {"arguments", "passOptions"})
      if (point.contains(settings))
        writeNumbers(point[settings]);
  return json;
}

Json sweepSchema() {
  Json schema = schemaOf<SweepReport>();
  Json given = {{"type", {"string", "integer", "number"}}};
  schema["properties"]["axes"]["items"]["properties"]["values"]["items"] = given;
  for (const char *settings : {"arguments", "passOptions"})
    schema["properties"]["points"]["items"]["properties"][settings]["additionalProperties"] = given;
  return schema;
}

std::string sweepSummary(const SweepJournal &sweep) {
  std::vector<bool> marks = paretoMarks(sweep.header.grid, sweep.rows);
  int64_t failed =
      llvm::count_if(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
  size_t targets = sweep.header.grid.targets.size(), problems = countProblems(sweep.rows);
  std::vector<std::string> kinds; // of points that are not compared with each other
  if (targets > 1)
    kinds.push_back(std::to_string(targets) + " targets");
  if (problems > 1)
    kinds.push_back(groupedNumber(int64_t(problems)) + " problems");
  std::string text = llvm::formatv(
      "{0} {1}{2}, {3} beaten by no other (*)", groupedNumber(int64_t(sweep.rows.size())),
      sweep.rows.size() == 1 ? "point" : "points",
      (kinds.empty() ? "" : " of ") + llvm::join(kinds, " and "), llvm::count(marks, true));
  if (failed)
    text += ", " + groupedNumber(failed) + " failed";
  if (!sweep.header.usesPtxas)
    text += "; blocks/SM by " + BlocksWithoutRegisters.str();
  int64_t uncounted = llvm::count_if(sweep.rows, [](const SweepRow &row) {
    return row.error.empty() && !row.figures.globalBytes;
  });
  if (uncounted)
    text += "; global bytes unknown at " + groupedNumber(uncounted) + ", so not compared there";
  if (!sweep.header.gpu.empty())
    text += "; timed on " + sweep.header.gpu + fastestText(sweep);
  return text;
}

} // namespace tilescope
