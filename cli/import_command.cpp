// import: the arena of another program as a trace, for all that reads traces.
#include "cli/command.h"

#include "core/exports/minimalloc_csv.h"
#include "core/trace_file/trace_reader.h"
#include "core/trace_file/trace_writer.h"

namespace tilescope {

namespace {

constexpr const char *ImportOverview =
    "Makes a trace of an arena problem or plan in the format of minimalloc\n"
    "(id,lower,upper,size and maybe alignment, gaps, versions, offset), so that 'show', 'why',\n"
    "'check', 'diff' and 'view' work on it. Where every row has an offset, that is the plan, and\n"
    "it is checked: 'tilescope check' fails if two buffers overlap. Else it is a preview, with a\n"
    "plan of ours around the offsets that are there. 'tilescope export --format minimalloc' gives\n"
    "the file again. Other formats of export are one-way.\n\n"
    "  tilescope import plan.csv --capacity 166912 -o plan.trace\n"
    "  tilescope show arena plan.trace\n";

} // namespace

int runImport(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope import");
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("PLAN.csv"), llvm::cl::cat(category));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output file (default: standard output)"),
                                    llvm::cl::value_desc("TRACE"), llvm::cl::init("-"),
                                    llvm::cl::cat(category));
  CountOption capacity("capacity", llvm::cl::desc("Bytes that there are (default: no limit)"),
                       llvm::cl::value_desc("BYTES"), llvm::cl::init(0), llvm::cl::cat(category));
  llvm::cl::opt<std::string> function(
      "function", llvm::cl::desc("Name of its kernel, to compare with a compile (default: arena)"),
      llvm::cl::value_desc("NAME"), llvm::cl::init("arena"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ImportOverview))
    return *exitCode;
  if (capacity > static_cast<Count>(INT64_MAX))
    return report(llvm::createStringError("--capacity is too large"));
  if (llvm::Error error = checkOutputs({{"-o", output}}, {{"input", input}}))
    return report(std::move(error));
  llvm::Expected<std::string> text = readFile(input);
  if (!text)
    return report(text.takeError());
  if (looksLikeTrace(*text))
    return report(llvm::createStringError("'" + input + "' is a trace already: import reads CSV"));
  llvm::Expected<CsvProblem> csv = readProblemCsv(*text, input);
  if (!csv)
    return report(csv.takeError());
  ImportedFile file{input, std::move(*text), function, static_cast<int64_t>(Count(capacity))};
  llvm::Expected<Trace> trace = traceOfProblem(*csv, file);
  if (!trace)
    return report(trace.takeError());
  trace->header.toolVersion = ToolVersion;
  return report(writeTrace(*trace, output));
}

} // namespace tilescope
