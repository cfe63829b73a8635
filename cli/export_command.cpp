// export: a trace, or a part of one, as a file for other programs and for people without Tilescope.
#include "cli/kernel_list.h"

#include "core/driver/judge_trace.h"
#include "core/exports/csv_tables.h"
#include "core/exports/minimalloc_csv.h"
#include "core/exports/perfetto_trace.h"
#include "core/report/instances_page.h"
#include "core/support/printable.h"
#include "core/views/pictures.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

enum class Format { Html, Svg, Perfetto, Csv, Minimalloc };

constexpr Count DefaultPageBytes = Count(8) << 20;

constexpr const char *ExportOverview =
    "Writes a trace, or a kernel that it compiles for the purpose, as a file for others.\n\n"
    "  html        a page that needs nothing else: passes and what they changed, shared memory,\n"
    "              the kernel file and the CUDA with links both ways; the trace is judged anew, "
    "as\n"
    "              by 'tilescope check'\n"
    "  svg         the picture of --view arena, lifetimes, stages or timeline\n"
    "  perfetto    a trace for https://ui.perfetto.dev: passes in time; buffers, live bytes and\n"
    "              stages with a microsecond a program point; what roles of warps do\n"
    "  csv         --table passes, buffers, placements or lifetimes; ids of the first column\n"
    "              'id' are the 'buffer' of the others\n"
    "  minimalloc  the arena: id,lower,upper,size,alignment,gaps,versions,offset. 'tilescope "
    "plan'\n"
    "              keeps these offsets; 'cut -d, -f1-7' leaves the problem alone\n"
    "\nOf a folder of traces there is html: a table of instances, each with its report below.\n"
    "Pictures, tables and arenas are those after --pass.\n"
    "\n  tilescope export gemm.trace --format html -o gemm.html\n"
    "  tilescope export run/ --format html -o run.html     # as TILESCOPE_RECORD=run left it\n"
    "  tilescope export gemm.trace --format svg --view arena --pass merge-shared-memory -o a.svg\n"
    "  tilescope export gemm.py:matmul --set M=1024 --format csv --table placements\n";

class ExportOptions {
public:
  explicit ExportOptions(llvm::cl::OptionCategory &category)
      : format("format", llvm::cl::desc("What to write"),
               llvm::cl::values(clEnumValN(Format::Html, "html", "a report as one page"),
                                clEnumValN(Format::Svg, "svg", "a picture"),
                                clEnumValN(Format::Perfetto, "perfetto", "a trace of Perfetto"),
                                clEnumValN(Format::Csv, "csv", "a table"),
                                clEnumValN(Format::Minimalloc, "minimalloc",
                                           "the arena as CSV, as 'tilescope plan' reads it")),
               llvm::cl::cat(category)),
        output("o", llvm::cl::desc("Output file (default: standard output)"),
               llvm::cl::value_desc("FILE"), llvm::cl::init("-"), llvm::cl::cat(category)),
        view("view", llvm::cl::desc("The picture of --format svg"), llvm::cl::value_desc("VIEW"),
             llvm::cl::cat(category)),
        table("table", llvm::cl::desc("The table of --format csv"), llvm::cl::value_desc("TABLE"),
              llvm::cl::cat(category)),
        function("function",
                 llvm::cl::desc("The kernel of --format minimalloc, where there are several"),
                 llvm::cl::value_desc("NAME"), llvm::cl::cat(category)),
        pass(category, "State after this pass (default: the last); not for html"),
        maxSize("max-size",
                llvm::cl::desc("Most bytes of --format html; the page says what it leaves out"),
                llvm::cl::init(DefaultPageBytes), llvm::cl::cat(category)) {}

  // What one format needs and the others do not use.
  llvm::Error check() const {
    if (format.getNumOccurrences() == 0)
      return llvm::createStringError(
          "--format is needed: html, svg, perfetto, csv or minimalloc; see 'tilescope export "
          "--help'");
    if (llvm::Error error = needs("--view VIEW", view, Format::Svg))
      return error;
    if (llvm::Error error = needs("--table TABLE", table, Format::Csv))
      return error;
    if (!function.empty() && format != Format::Minimalloc)
      return llvm::createStringError("--function is for --format minimalloc");
    if (maxSize.getNumOccurrences() != 0 && format != Format::Html)
      return llvm::createStringError("--max-size is for --format html");
    if (pass.isGiven() && format == Format::Html)
      return llvm::createStringError("--pass is not for --format html, which shows every pass");
    if (maxSize < LeastReportBytes)
      return llvm::createStringError(
          llvm::formatv("--max-size wants at least {0}, not {1}", LeastReportBytes, Count(maxSize))
              .str());
    return llvm::Error::success();
  }

  ChoiceOption<Format> format;
  llvm::cl::opt<std::string> output, view, table, function;
  AfterPassOption pass;
  CountOption maxSize;

private:
  llvm::Error needs(llvm::StringRef option, const std::string &value, Format owner) const {
    if ((format == owner) == !value.empty())
      return llvm::Error::success();
    llvm::StringRef name = option.split(' ').first;
    if (format == owner)
      return llvm::createStringError("this --format needs " + option + "; see 'tilescope export " +
                                     "--help'");
    return llvm::createStringError(
        name + (owner == Format::Svg ? " is for --format svg" : " is for --format csv"));
  }
};

std::string pageOf(HtmlReport report, Count maxBytes) {
  if (!report.leftOut.empty())
    llvm::WithColor::warning(llvm::errs(), "tilescope")
        << "left out, to stay below --max-size " << maxBytes << ": "
        << withoutControls(report.leftOut.front(), "")
        << (report.leftOut.size() > 1
                ? " and " + std::to_string(report.leftOut.size() - 1) + " more"
                : "")
        << '\n';
  return std::move(report.page);
}

llvm::Expected<std::string> pictureText(const Trace &trace, size_t pass, const std::string &view) {
  if (const PictureInfo *picture = pictureOf(view)) {
    Selection selection;
    selection.pass = pass;
    return picture->draw(trace, selection);
  }
  std::string names;
  for (const PictureInfo &picture : allPictures())
    names += " " + picture.name.str();
  return llvm::createStringError("view '" + view + "' has no picture; these have:" + names);
}

llvm::Expected<std::string> tableText(const Trace &trace, size_t pass, const std::string &name) {
  std::string names;
  for (const CsvTable &table : allCsvTables()) {
    if (table.name == name)
      return table.write(trace, pass);
    names += " " + table.name.str();
  }
  return llvm::createStringError("no table '" + name + "'; there are:" + names);
}

llvm::Expected<std::string> arenaText(const Trace &trace, size_t pass,
                                      const std::string &function) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[pass].snapshot];
  std::vector<std::string> names;
  for (const ArenaRecord &arena : *snapshot.arenas)
    names.push_back(arena.function);
  if (names.empty())
    return llvm::createStringError("after " + trace.passes[pass].name +
                                   " no kernel uses dynamic shared memory");
  if (function.empty() && names.size() > 1)
    return llvm::createStringError("there are several kernels, so --function is needed: " +
                                   llvm::join(names, " "));
  for (const ArenaRecord &arena : *snapshot.arenas)
    if (function.empty() || arena.function == function)
      return minimallocCsv(snapshot, arena);
  return llvm::createStringError("no kernel '" + function +
                                 "' uses shared memory; these do: " + llvm::join(names, " "));
}

llvm::Expected<std::string> exportText(const Trace &trace, size_t pass,
                                       const ExportOptions &options) {
  switch (options.format.getValue()) {
  case Format::Html:
    return pageOf(buildHtmlReport(trace, judgeTrace(trace), options.maxSize), options.maxSize);
  case Format::Svg:
    return pictureText(trace, pass, options.view);
  case Format::Perfetto:
    return perfettoTrace(trace, pass);
  case Format::Csv:
    return tableText(trace, pass, options.table);
  case Format::Minimalloc:
    return arenaText(trace, pass, options.function);
  }
  llvm_unreachable("all formats are handled");
}

int exportInstances(const std::string &folder, ListedInstances &listed,
                    const ExportOptions &options) {
  if (options.format != Format::Html)
    return report(llvm::createStringError(
        "'" + folder + "' stands for many kernels, of which there is --format html alone"));
  size_t count = listed.instances.size() + listed.unread.size();
  InstancesPage page(folder, count, options.maxSize);
  std::vector<UnreadTrace> unread = std::move(listed.unread);
  for (const ListedInstance &instance : listed.instances) {
    std::string name = instance.fileName();
    llvm::Expected<LoadedInstance> loaded = load(instance);
    if (!loaded) {
      std::string why = llvm::toString(loaded.takeError());
      page.add({.trace = name, .kernel = instance.function, .error = why});
      unread.push_back({name, std::move(why)});
      continue;
    }
    InstanceRow row = instanceRowOf(loaded->trace, name);
    row.error = std::move(loaded->failure);
    if (loaded->trace.passes.empty())
      page.add(row);
    else
      page.add(row, loaded->trace, judgeTrace(loaded->trace));
  }
  for (const UnreadTrace &trace :
       llvm::ArrayRef(unread).take_front(count - listed.instances.size()))
    page.add({.trace = llvm::sys::path::filename(trace.path).str(), .error = trace.why});
  if (llvm::Error error = writeFile(options.output, pageOf(page.take(), options.maxSize)))
    return report(std::move(error));
  return reportUnread(unread);
}

} // namespace

int runExport(const CommandLine &given) {
  CommandLine commandLine = given;
  std::vector<std::string> storage;
  keepListArguments(commandLine, storage);
  llvm::cl::OptionCategory category("tilescope export");
  TraceOptions source(category);
  ExportOptions options(category);
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ExportOverview))
    return *exitCode;
  if (llvm::Error error = options.check())
    return report(std::move(error));
  const std::string &input = source.kernel().kernel();
  if (llvm::Error error =
          checkOutputs({{"-o", options.output}},
                       {{"input", listOf(input).value_or(splitKernelName(input).first)}}))
    return report(std::move(error));
  llvm::Expected<std::optional<ListedInstances>> many = manyOf(source);
  if (!many)
    return report(many.takeError());
  if (*many)
    return exportInstances(listOf(input).value_or(input), **many, options);
  llvm::Expected<Trace> trace = source.load();
  if (!trace)
    return report(trace.takeError());
  llvm::Expected<size_t> pass = options.pass.select(*trace, trace->passes.size() - 1);
  if (!pass)
    return report(pass.takeError());
  llvm::Expected<std::string> text = exportText(*trace, *pass, options);
  if (!text)
    return report(text.takeError());
  if (llvm::Error error = writeFile(options.output, *text))
    return report(std::move(error));
  return source.exitCode();
}

} // namespace tilescope
