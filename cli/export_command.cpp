// export: a trace, or a part of one, as a file for other programs and for people without Tilescope.
#include "cli/commit_history.h"

#include "core/driver/judge_trace.h"
#include "core/exports/csv_tables.h"
#include "core/exports/minimalloc_csv.h"
#include "core/exports/perfetto_trace.h"
#include "core/page/html_page.h"
#include "core/report/instances_page.h"
#include "core/support/printable.h"
#include "core/toolkit/list_device_code.h"
#include "core/toolkit/programs.h"
#include "core/trace/trace_queries.h"
#include "core/views/pictures.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

enum class ExportFormat { Html, Report, Svg, Perfetto, Csv, Minimalloc };

constexpr Count DefaultPageBytes = Count(8) << 20;

constexpr const char *ExportOverview =
    "Writes a trace, or a kernel that it compiles for the purpose, as a file for others.\n\n"
    "  html        a page that does in a browser what the window does: j and k step through the\n"
    "              passes, one selection links IR, CUDA, kernel file, arena and stages. One file\n"
    "              that fetches nothing; the trace is judged anew, as by 'tilescope check'.\n"
    "              Of one kernel PTX and SASS too, if nvcc is found and the page is below 2 MB\n"
    "  report      the same on paper: a page without scripts, what each pass changed one below\n"
    "              the other, the kernel file and the CUDA with links both ways\n"
    "  svg         the picture of --view arena, lifetimes, stages or timeline\n"
    "  perfetto    a trace for https://ui.perfetto.dev: passes in time; buffers, live bytes and\n"
    "              stages with a microsecond a program point; what roles of warps do\n"
    "  csv         --table passes, buffers, placements or lifetimes; ids of the first column\n"
    "              'id' are the 'buffer' of the others\n"
    "  minimalloc  the arena: id,lower,upper,size,alignment,gaps,versions,offset. 'tilescope "
    "plan'\n"
    "              keeps these offsets; 'cut -d, -f1-7' leaves the problem alone\n"
    "\nOf a folder of traces there are html and report, with a table of instances.\n"
    "Pictures, tables and arenas are those after --pass.\n"
    "With --git there is a page of a kernel's history: a row for each commit of the range that\n"
    "changed its file, with its arena and its peak, and what differs from the one before.\n"
    "\n  tilescope export gemm.trace --format html -o gemm.html\n"
    "  tilescope export gemm.py:matmul --git main~9..main --format html -o history.html\n"
    "  tilescope export run/ --format html -o run.html     # as TILESCOPE_RECORD=run left it\n"
    "  tilescope export gemm.trace --format svg --view arena --pass merge-shared-memory -o a.svg\n"
    "  tilescope export gemm.py:matmul --set M=1024 --format csv --table placements\n";

class ExportOptions {
public:
  explicit ExportOptions(llvm::cl::OptionCategory &category)
      : format("format", llvm::cl::desc("What to write"),
               llvm::cl::values(
                   clEnumValN(ExportFormat::Html, "html", "a page to step through the passes"),
                   clEnumValN(ExportFormat::Report, "report", "a page to be read through"),
                   clEnumValN(ExportFormat::Svg, "svg", "a picture"),
                   clEnumValN(ExportFormat::Perfetto, "perfetto", "a trace of Perfetto"),
                   clEnumValN(ExportFormat::Csv, "csv", "a table"),
                   clEnumValN(ExportFormat::Minimalloc, "minimalloc",
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
        git("git", llvm::cl::desc("The kernel at the commits of a range, for a page"),
            llvm::cl::value_desc("REV1..REV2"), llvm::cl::cat(category)),
        cudaPath("cuda-path",
                 llvm::cl::desc("Folder of the CUDA Toolkit, for PTX and SASS in a page"),
                 llvm::cl::value_desc("FOLDER"), llvm::cl::cat(category)),
        noDeviceCode("no-device-code",
                     llvm::cl::desc("Ask no nvcc: a page of html without PTX and SASS"),
                     llvm::cl::cat(category)),
        pass(category, "State after this pass (default: the last); not for html"),
        maxSize("max-size", llvm::cl::desc("Most bytes of a page, which says what it leaves out"),
                llvm::cl::init(DefaultPageBytes), llvm::cl::cat(category)) {}

  // What one format needs and the others do not use.
  llvm::Error check() const {
    if (format.getNumOccurrences() == 0)
      return llvm::createStringError("--format is needed: html, report, svg, perfetto, csv or "
                                     "minimalloc; see 'tilescope export "
                                     "--help'");
    if (llvm::Error error = needs("--view VIEW", view, ExportFormat::Svg))
      return error;
    if (llvm::Error error = needs("--table TABLE", table, ExportFormat::Csv))
      return error;
    if (!function.empty() && format != ExportFormat::Minimalloc)
      return llvm::createStringError("--function is for --format minimalloc");
    bool isPage = format == ExportFormat::Html || format == ExportFormat::Report;
    if (maxSize.getNumOccurrences() != 0 && !isPage)
      return llvm::createStringError("--max-size is for --format html and report");
    if (!git.empty() && !isPage)
      return llvm::createStringError("--git is for --format html and report");
    if (llvm::Error error = checkDeviceCode(format == ExportFormat::Html && git.empty()))
      return error;
    if (pass.isGiven() && isPage)
      return llvm::createStringError("--pass is not for a page, which shows every pass");
    if (maxSize < LeastReportBytes)
      return llvm::createStringError(
          llvm::formatv("--max-size wants at least {0}, not {1}", LeastReportBytes, Count(maxSize))
              .str());
    return llvm::Error::success();
  }

  // `isPageOfOne`: it may have PTX and SASS.
  llvm::Error checkDeviceCode(bool isPageOfOne) const {
    bool asksNvcc = cudaPath.getNumOccurrences() != 0;
    if ((asksNvcc || noDeviceCode) && !isPageOfOne)
      return llvm::createStringError(
          llvm::StringRef(asksNvcc ? "--cuda-path" : "--no-device-code") +
          " is for --format html of one kernel");
    return checkCudaPath(cudaPath);
  }

  ChoiceOption<ExportFormat> format;
  llvm::cl::opt<std::string> output, view, table, function, git, cudaPath;
  llvm::cl::opt<bool> noDeviceCode;
  AfterPassOption pass;
  CountOption maxSize;

private:
  llvm::Error needs(llvm::StringRef option, const std::string &value, ExportFormat owner) const {
    if ((format == owner) == !value.empty())
      return llvm::Error::success();
    llvm::StringRef name = option.split(' ').first;
    if (format == owner)
      return llvm::createStringError("this --format needs " + option + "; see 'tilescope export " +
                                     "--help'");
    return llvm::createStringError(
        name + (owner == ExportFormat::Svg ? " is for --format svg" : " is for --format csv"));
  }
};

// The page, after a warning of what it leaves out.
std::string pageOf(std::string page, llvm::ArrayRef<std::string> leftOut, Count maxBytes) {
  if (!leftOut.empty())
    llvm::WithColor::warning(llvm::errs(), "tilescope")
        << "left out for the size of the page (--max-size " << maxBytes
        << "): " << withoutControls(leftOut.front(), "")
        << (leftOut.size() > 1 ? " and " + std::to_string(leftOut.size() - 1) + " more" : "")
        << '\n';
  return page;
}

std::string pageOf(HtmlReport report, Count maxBytes) {
  return pageOf(std::move(report.page), report.leftOut, maxBytes);
}

llvm::Expected<std::string> pageOf(HtmlPageWriter &writer, Count maxBytes) {
  llvm::Expected<HtmlPage> page = writer.take(maxBytes);
  if (!page)
    return page.takeError();
  return pageOf(std::move(page->text), page->leftOut, maxBytes);
}

// With what nvcc makes of the CUDA, where there is an nvcc, or what is recorded of the PTX.
llvm::Expected<std::string> htmlText(const Trace &trace, const ExportOptions &options) {
  std::optional<DeviceListing> listing;
  if (!options.noDeviceCode && !trace.cuda.empty())
    listing = listDeviceCode(
        {trace.cuda, trace.header.target, options.cudaPath, nullptr, deviceOf(trace)});
  HtmlPageWriter writer(trace.header.file);
  writer.add(instanceRowOf(trace, trace.header.file), trace, judgeTrace(trace),
             listing ? &*listing : nullptr);
  return pageOf(writer, options.maxSize);
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
  case ExportFormat::Html:
    return htmlText(trace, options);
  case ExportFormat::Report:
    return pageOf(buildHtmlReport(trace, judgeTrace(trace), options.maxSize), options.maxSize);
  case ExportFormat::Svg:
    return pictureText(trace, pass, options.view);
  case ExportFormat::Perfetto:
    return perfettoTrace(trace, pass);
  case ExportFormat::Csv:
    return tableText(trace, pass, options.table);
  case ExportFormat::Minimalloc:
    return arenaText(trace, pass, options.function);
  }
  llvm_unreachable("all formats are handled");
}

// Every instance of a folder, whatever its trace is like. Those that cannot be read join `unread`.
template <typename Page>
void addInstances(ListedInstances &listed, std::vector<UnreadTrace> &unread, Page &page) {
  for (const UnreadTrace &trace : listed.unread)
    page.add({.trace = llvm::sys::path::filename(trace.path).str(), .error = trace.why});
  unread = std::move(listed.unread);
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
}

// A commit whose kernel cannot be shown has a row that says why.
template <typename Page> void addHistory(std::vector<CommitCompile> &history, Page &page) {
  for (CommitCompile &at : history) {
    std::optional<Trace> &trace = at.compile.trace;
    InstanceRow row = trace ? instanceRowOf(*trace, at.commit)
                            : InstanceRow{.trace = at.commit, .kernel = at.compile.function};
    row.error = std::move(at.compile.error);
    if (trace && !trace->passes.empty())
      page.add(row, *trace, judgeTrace(*trace));
    else
      page.add(row);
  }
}

llvm::Expected<std::string> historyText(const TraceOptions &source, const ExportOptions &options) {
  const KernelOptions &kernel = source.kernel();
  if (kernel.hasPassOptions() || kernel.hasPlanPreferences() || source.hasPatches())
    return llvm::createStringError(
        "--git compiles each commit as it is: --pass-option, --plan-for, --previous and --patch "
        "are not for it");
  llvm::Expected<CompileRequest> request = kernel.request();
  if (!request)
    return request.takeError();
  llvm::Expected<std::vector<CommitCompile>> history =
      compileHistory(options.git, kernel.kernel(), {request->arguments, {request->target}});
  if (!history)
    return history.takeError();
  std::string title = kernel.kernel() + ", " + options.git;
  if (options.format == ExportFormat::Report) {
    InstancesPage page(title, history->size(), options.maxSize);
    addHistory(*history, page);
    return pageOf(page.take(), options.maxSize);
  }
  HtmlPageWriter page(title);
  addHistory(*history, page);
  return pageOf(page, options.maxSize);
}

llvm::Expected<std::string> textOfInstances(const std::string &folder, ListedInstances &listed,
                                            std::vector<UnreadTrace> &unread,
                                            const ExportOptions &options) {
  switch (options.format.getValue()) {
  case ExportFormat::Html: {
    HtmlPageWriter page(folder);
    addInstances(listed, unread, page);
    return pageOf(page, options.maxSize);
  }
  case ExportFormat::Report: {
    InstancesPage page(folder, listed.instances.size() + listed.unread.size(), options.maxSize);
    addInstances(listed, unread, page);
    return pageOf(page.take(), options.maxSize);
  }
  default:
    return llvm::createStringError(
        "'" + folder + "' stands for many kernels, of which there are --format html and report");
  }
}

int exportInstances(const std::string &folder, ListedInstances &listed,
                    const ExportOptions &options) {
  if (llvm::Error error = options.checkDeviceCode(/*isPageOfOne=*/false))
    return report(std::move(error));
  std::vector<UnreadTrace> unread;
  llvm::Expected<std::string> text = textOfInstances(folder, listed, unread, options);
  if (!text)
    return report(text.takeError());
  if (llvm::Error error = writeFile(options.output, *text))
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
  if (!options.git.empty()) {
    llvm::Expected<std::string> text = historyText(source, options);
    return report(text ? writeFile(options.output, *text) : text.takeError());
  }
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
