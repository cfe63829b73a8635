#include "cli/sweep_output.h"

#include "core/json/json_value.h"
#include "core/sweep/sweep_report.h"
#include "core/views/view.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

void printSweep(const SweepJournal &sweep, llvm::raw_ostream &out) {
  TextTable table = sweepTable(sweep);
  // Figures are aligned to the right, a diagnostic is not.
  bool hasErrors = table.front().back() == "error";
  std::vector<std::string> errors;
  for (std::vector<std::string> &row : table) {
    if (hasErrors && !row.back().empty() && &row != &table.front())
      errors.push_back(row.back());
    if (hasErrors)
      row.pop_back();
  }
  size_t figure = llvm::find(table.front(), "peak bytes") - table.front().begin();
  std::string text;
  llvm::raw_string_ostream lines(text);
  printTable(lines, table, figure);
  size_t next = 0, number = 0;
  for (llvm::StringRef rest = text; !rest.empty(); ++number) {
    auto [line, more] = rest.split('\n');
    rest = more;
    bool failed = number != 0 && number < table.size() && table[number][figure].empty();
    Ink ink{number == 0                ? Ink::Strong
            : failed                   ? Ink::Bad
            : table[number][0].empty() ? Ink::Plain
                                       : Ink::Good};
    write(out, line.rtrim(), ink);
    if (failed && next < errors.size())
      out << "  " << errors[next++];
    out << '\n';
  }
  out << '\n' << sweepSummary(sweep) << '\n';
}

} // namespace

SweepOutput::SweepOutput(llvm::cl::OptionCategory &category)
    : path_("o", llvm::cl::desc("Output file (default: standard output)"),
            llvm::cl::value_desc("FILE"), llvm::cl::init("-"), llvm::cl::cat(category)),
      format_("format", llvm::cl::desc("What to write (default: what the file's name ends with)"),
              llvm::cl::init(Format::Auto),
              llvm::cl::values(clEnumValN(Format::Text, "text", "a table"),
                               clEnumValN(Format::Csv, "csv", "for spreadsheets"),
                               clEnumValN(Format::Json, "json", "for scripts")),
              llvm::cl::cat(category)) {}

SweepOutput::Format SweepOutput::format() const {
  if (format_ != Format::Auto)
    return format_;
  llvm::StringRef name = path_;
  return name.ends_with(".csv")    ? Format::Csv
         : name.ends_with(".json") ? Format::Json
                                   : Format::Text;
}

std::string SweepOutput::text(const SweepJournal &sweep) const {
  if (format() == Format::Csv)
    return sweepCsv(sweep);
  if (format() == Format::Json)
    return dumpJson(sweepJson(sweep));
  std::string text;
  llvm::raw_string_ostream stream(text);
  printSweep(sweep, stream);
  return text;
}

int SweepOutput::write(const SweepJournal &sweep) const {
  if (!hasFile() && format() == Format::Text) {
    TerminalText out(llvm::outs());
    printSweep(sweep, out);
  } else if (llvm::Error error = writeFile(path_, text(sweep))) {
    return report(std::move(error));
  }
  if (hasFile())
    llvm::outs() << sweepSummary(sweep) << '\n';
  bool anyFailed = llvm::any_of(sweep.rows, [](const SweepRow &row) { return !row.error.empty(); });
  return anyFailed ? Findings : Fine;
}

} // namespace tilescope
