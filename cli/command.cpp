#include "cli/command.h"

#include "cli/interrupt.h"
#include "cli/watch.h"
#include "core/driver/kernel_instances.h"
#include "core/ir/reader.h"
#include "core/ir/text_form.h"
#include "core/json/json_value.h"
#include "core/run/pass_execution.h"
#include "core/support/nearest_name.h"
#include "core/support/printable.h"
#include "core/trace/trace_queries.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

namespace tilescope {

namespace {

llvm::Error failure(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

// A name may hold anything, line breaks too.
std::string inQuotes(llvm::StringRef path) { return "'" + withoutControls(path, "") + "'"; }

llvm::Error writeFailure(llvm::StringRef path, std::error_code code) {
  return failure("cannot write " + inQuotes(path) + ": " + code.message());
}

llvm::Error writeTo(llvm::raw_fd_ostream &out, llvm::StringRef path, llvm::StringRef text) {
  out << text;
  out.flush();
  if (!out.has_error())
    return llvm::Error::success();
  std::error_code code = out.error();
  out.clear_error();
  return writeFailure(path, code);
}

bool mustBeWrittenInPlace(const std::string &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return false;
  return llvm::sys::fs::exists(status) && !llvm::sys::fs::is_regular_file(status);
}

llvm::Error writeInPlace(const std::string &path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream out(path, code);
  if (code)
    return writeFailure(path, code);
  return writeTo(out, path, text);
}

// A device may never end.
constexpr size_t MostDeviceBytes = size_t{256} << 20;

llvm::Expected<std::string> readDevice(const std::string &path) {
  llvm::Expected<llvm::sys::fs::file_t> file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return failure("cannot read " + inQuotes(path) + ": " + llvm::toString(file.takeError()));
  llvm::SmallString<0> text;
  llvm::Error error = llvm::Error::success();
  bool isAtEnd = false;
  while (!error && !isAtEnd && text.size() < MostDeviceBytes) {
    size_t length = text.size();
    text.resize_for_overwrite(length + 16384);
    llvm::Expected<size_t> read = llvm::sys::fs::readNativeFile(
        *file, llvm::MutableArrayRef(text.data() + length, text.size() - length));
    text.truncate(length + (read ? *read : 0));
    isAtEnd = read && *read == 0;
    if (!read)
      error = read.takeError();
  }
  (void)llvm::sys::fs::closeFile(*file);
  if (error)
    return failure("cannot read " + inQuotes(path) + ": " + llvm::toString(std::move(error)));
  if (!isAtEnd)
    return failure(inQuotes(path) + " is a device that gives more than " +
                   llvm::Twine(MostDeviceBytes) + " bytes");
  return text.str().str();
}

} // namespace

void printVersion(llvm::raw_ostream &out) {
  out << "tilescope " << ToolVersion << ", trace format " << TraceMajor << '.' << TraceMinor
      << '\n';
}

llvm::Expected<std::string> readFile(const std::string &path) {
  noteRead(path);
  llvm::sys::fs::file_status status;
  bool isDevice = !llvm::sys::fs::status(path, status) &&
                  status.type() == llvm::sys::fs::file_type::character_file;
  if (isDevice)
    return readDevice(path);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failure("cannot read " + inQuotes(path) + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

llvm::Error writeFile(const std::string &path, llvm::StringRef text) {
  if (path == "-")
    return writeTo(llvm::outs(), "standard output", text);
  if (mustBeWrittenInPlace(path))
    return writeInPlace(path, text);
  // A link goes on pointing to its file.
  llvm::SmallString<128> target;
  if (llvm::sys::fs::real_path(path, target))
    target = path;
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(target + ".%%%%%%.tmp", 0666);
  if (!file)
    return failure("cannot write " + inQuotes(path) + ": " + llvm::toString(file.takeError()));
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  if (llvm::Error error = writeTo(out, path, text))
    return llvm::joinErrors(std::move(error), file->discard());
  if (llvm::Error error = file->keep(target))
    return failure("cannot write " + inQuotes(path) + ": " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

int report(llvm::Error error) {
  if (!error)
    return Fine;
  llvm::WithColor::error(llvm::errs(), "tilescope")
      << withoutControls(llvm::toString(std::move(error)), "\n\t") << '\n';
  return interrupted() ? interruptedExitCode() : Trouble;
}

// What was compiled is IR text without tags.
static bool isPlainIr(const CompileResult &result) {
  if (result.files.size() == 0)
    return false;
  llvm::StringRef text = result.files.get(FileId(0)).text;
  return looksLikeIr(text) && !isTaggedIr(text);
}

// A kernel file may say with which values its kernels are compiled.
static void printListedValues(const CompileResult &result, llvm::raw_ostream &out) {
  if (result.files.size() == 0)
    return;
  const SourceFile &file = result.files.get(FileId(0));
  llvm::Expected<std::vector<KernelInstance>> listed = instancesOfKernel(file.text, file.path);
  if (!listed)
    llvm::consumeError(listed.takeError());
  else if (!listed->empty())
    out << "note: the file lists values: " << labelOf(listed->front())
        << (listed->size() > 1 ? ", and " + std::to_string(listed->size() - 1) + " more" : "")
        << '\n';
}

void printDiagnostics(const CompileResult &result) {
  printDiagnostics(result, result.diagnostics.all());
}

void printDiagnostics(const CompileResult &result, llvm::ArrayRef<Diagnostic> said) {
  bool colors = llvm::errs().colors_enabled();
  TerminalText out(llvm::errs());
  for (const Diagnostic &diagnostic : said)
    render(diagnostic, result.files, out, colors);
  if (!said.empty() && said.back().id == DiagId::MissingArguments)
    printListedValues(result, out);
  bool hasFault = llvm::any_of(said, [](const Diagnostic &diagnostic) {
    return diagnostic.id == DiagId::MemoryHazard || diagnostic.id == DiagId::ArenaUnsound;
  });
  if (hasFault && isPlainIr(result))
    out << "note: lowered IR is resumed from what 'tilescope opt --tagged' prints: plain text does "
           "not say\nwhich tile operation a statement was lowered from, and this check needs it\n";
}

namespace {

// Of the final plan of a trace, by toString(BufferKey).
llvm::Expected<std::map<std::string, int64_t>> readOffsets(const std::string &path) {
  llvm::Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  llvm::Expected<Trace> trace = readTrace(*text, path);
  if (!trace)
    return trace.takeError();
  if (!trace->recovery.empty())
    llvm::WithColor::warning(llvm::errs(), "tilescope") << trace->recovery << '\n';
  if (trace->passes.empty())
    return failure("'" + path + "' has no finished pass");
  std::optional<std::map<std::string, int64_t>> offsets = plannedOffsets(*trace);
  if (!offsets)
    return failure("'" + path + "' ends before shared memory is planned");
  return std::move(*offsets);
}

} // namespace

KernelOptions::KernelOptions(llvm::cl::OptionCategory &category, bool isRequired)
    : kernel_(llvm::cl::Positional, isRequired ? llvm::cl::Required : llvm::cl::Optional,
              llvm::cl::desc("FILE[:FUNCTION]"), llvm::cl::cat(category)),
      settings_("set",
                llvm::cl::desc("Argument of the kernel, a Python literal; of a tensor its shape"),
                llvm::cl::value_desc("NAME=VALUE"), llvm::cl::cat(category)),
      target_("target", llvm::cl::desc("GPU to compile for (default: sm_80)"),
              llvm::cl::init("sm_80"), llvm::cl::cat(category)),
      device_("device", llvm::cl::desc("What a kernel that asks for its GPU is told: sms=132"),
              llvm::cl::value_desc("NAME=VALUE"), llvm::cl::CommaSeparated,
              llvm::cl::cat(category)),
      pythonPath_(
          "python-path",
          llvm::cl::desc("Folder in which imported files are looked for, after those of the "
                         "kernel's own package"),
          llvm::cl::value_desc("DIR"), llvm::cl::cat(category)),
      passOptions_("pass-option",
                   llvm::cl::desc("Option of a pass of the pipeline; the second 'simplify' is "
                                  "'simplify#2'"),
                   llvm::cl::value_desc("PASS.NAME=VALUE"), llvm::cl::cat(category)),
      planFor_("plan-for", llvm::cl::desc("What comes first in the plan of shared memory"),
               llvm::cl::init(PlanFor::Height),
               llvm::cl::values(clEnumValN(PlanFor::Height, "height", "fewest bytes (default)"),
                                clEnumValN(PlanFor::Occupancy, "occupancy",
                                           "most blocks per SM, then fewest barriers")),
               llvm::cl::cat(category)),
      previous_("previous",
                llvm::cl::desc("Keep buffers where this trace has them, if that costs nothing"),
                llvm::cl::value_desc("TRACE"), llvm::cl::cat(category)),
      maxSteps_("max-steps",
                llvm::cl::desc("Statements and expressions that a kernel file may run"),
                llvm::cl::init(EvalLimits().steps), llvm::cl::cat(category)),
      maxCallDepth_("max-call-depth", llvm::cl::desc("Nested calls of a kernel file"),
                    llvm::cl::init(EvalLimits().callDepth), llvm::cl::cat(category)),
      maxListLength_("max-list-length", llvm::cl::desc("Elements of one value of a kernel file"),
                     llvm::cl::init(EvalLimits().listLength), llvm::cl::cat(category)),
      maxMemory_("max-memory", llvm::cl::desc("Bytes of all values of a kernel file"),
                 llvm::cl::init(EvalLimits().memoryBytes), llvm::cl::cat(category)) {}

static llvm::Error readSettings(const char *option, const char *form,
                                const llvm::cl::list<std::string> &words,
                                std::vector<std::pair<std::string, std::string>> &settings) {
  for (llvm::StringRef word : words) {
    auto [name, value] = word.split('=');
    if (name.empty() || !word.contains('='))
      return failure(llvm::Twine(option) + " wants " + form + ", not '" + word + "'");
    if (llvm::any_of(settings, [&, &name = name](const auto &s) { return s.first == name; }))
      return failure(llvm::Twine(option) + " gives '" + name + "' twice");
    settings.emplace_back(name.str(), value.str());
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::pair<std::string, std::string>>> KernelOptions::settings() const {
  std::vector<std::pair<std::string, std::string>> settings;
  if (llvm::Error error = readSettings("--set", "NAME=VALUE", settings_, settings))
    return error;
  return settings;
}

llvm::Expected<CompileRequest> KernelOptions::request(const std::string &kernel) const {
  CompileRequest request;
  std::tie(request.path, request.function) = splitKernelName(kernel);
  if (request.function.empty() && request.path != kernel)
    return failure("'" + kernel + "' names no function behind the colon");
  if (llvm::Error error = readSettings("--set", "NAME=VALUE", settings_, request.arguments))
    return error;
  if (llvm::Error error = readSettings("--device", "NAME=VALUE", device_, request.device))
    return error;
  if (llvm::Error error =
          readSettings("--pass-option", "PASS.NAME=VALUE", passOptions_, request.passOptions))
    return error;
  request.imports = {watchedImports(), {pythonPath_.begin(), pythonPath_.end()}};
  request.target = target_;
  request.plan.forOccupancy = planFor_ == PlanFor::Occupancy;
  if (!previous_.empty()) {
    llvm::Expected<std::map<std::string, int64_t>> offsets = readOffsets(previous_);
    if (!offsets)
      return offsets.takeError();
    request.plan.previousOffsets = std::move(*offsets);
    request.previous = previous_;
  }
  request.limits = {maxSteps_, maxCallDepth_, maxListLength_, maxMemory_};
  llvm::Expected<std::string> text = readFile(request.path);
  if (!text)
    return text.takeError();
  request.text = std::move(*text);
  return request;
}

std::string KernelOptions::compileOption() const {
  const std::pair<const char *, int> given[] = {
      {"--set", settings_.getNumOccurrences()},
      {"--target", target_.getNumOccurrences()},
      {"--device", device_.getNumOccurrences()},
      {"--python-path", pythonPath_.getNumOccurrences()},
      {"--pass-option", passOptions_.getNumOccurrences()},
      {"--plan-for", planFor_.getNumOccurrences()},
      {"--previous", previous_.getNumOccurrences()},
      {"--max-steps", maxSteps_.getNumOccurrences()},
      {"--max-call-depth", maxCallDepth_.getNumOccurrences()},
      {"--max-list-length", maxListLength_.getNumOccurrences()},
      {"--max-memory", maxMemory_.getNumOccurrences()}};
  for (const auto &[name, count] : given)
    if (count > 0)
      return name;
  return "";
}

PassesOption::PassesOption(llvm::cl::OptionCategory &category, llvm::StringRef help)
    : passes_("passes", llvm::cl::desc(help), llvm::cl::cat(category)),
      libraries_("load", llvm::cl::desc("Shared library of passes, which --passes may name then"),
                 llvm::cl::value_desc("FILE.so"), llvm::cl::cat(category)) {}

llvm::Error PassesOption::addTo(CompileRequest &request) const {
  if (areGiven())
    request.passes = passes_;
  if (!hasLibraries())
    return llvm::Error::success();
  llvm::Expected<std::shared_ptr<const PassRegistry>> passes = loadPasses(libraries_);
  if (!passes)
    return passes.takeError();
  request.registry = std::move(*passes);
  request.libraries.assign(libraries_.begin(), libraries_.end());
  return llvm::Error::success();
}

std::string passHelpFor(const CommandLine &commandLine) {
  std::vector<std::string> libraries;
  for (size_t i = 1; i < commandLine.size(); ++i) {
    llvm::StringRef word = commandLine[i];
    if (!word.consume_front("-"))
      continue;
    word.consume_front("-");
    if (word == "load" && i + 1 < commandLine.size())
      libraries.emplace_back(commandLine[++i]);
    else if (word.consume_front("load="))
      libraries.push_back(word.str());
  }
  CompileRequest request;
  llvm::Expected<std::shared_ptr<const PassRegistry>> passes = loadPasses(libraries);
  // What is wrong is said where the options are read.
  if (passes)
    request.registry = std::move(*passes);
  else
    llvm::consumeError(passes.takeError());
  return passHelp(request);
}

PatchOption::PatchOption(llvm::cl::OptionCategory &category)
    : files_("patch", llvm::cl::desc("Edit the IR between passes: a unified diff of tagged text"),
             llvm::cl::value_desc("FILE"), llvm::cl::cat(category)) {}

llvm::Error PatchOption::addTo(CompileRequest &request, llvm::ArrayRef<NamedFile> outputs) const {
  for (const std::string &file : files_) {
    if (llvm::Error error = checkOutputs(outputs, {{"--patch", file}}))
      return error;
    llvm::Expected<std::string> text = readFile(file);
    if (!text)
      return text.takeError();
    request.patches.push_back({file, std::move(*text)});
  }
  return llvm::Error::success();
}

std::string dumpJson(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

llvm::Error refuseBrokenTrace(llvm::StringRef path, llvm::StringRef text) {
  if (!path.ends_with(".trace"))
    return llvm::Error::success();
  return failure("'" + path + "' is no trace: it " +
                 (text.empty() ? "is empty" : "does not start with a trace's first record"));
}

llvm::Expected<Trace> TraceOptions::load() {
  llvm::Expected<Trace> trace = loadBegun();
  if (trace && trace->passes.empty())
    return reportNotBegun();
  if (trace && compiled_)
    printDiagnostics(*compiled_);
  return trace;
}

llvm::Error TraceOptions::reportNotBegun() const {
  printDiagnostics(*compiled_);
  // A target or a pass that is not known ends a compile before it has files.
  std::string path = compiled_->files.size() ? compiled_->files.get(FileId(0)).path
                                             : splitKernelName(kernel_.kernel()).first;
  return failure("'" + path + "' did not get as far as its first pass");
}

llvm::Expected<Trace> TraceOptions::loadBegun() {
  if (llvm::sys::fs::is_directory(kernel_.kernel()))
    return failure(inQuotes(kernel_.kernel()) +
                   " is a folder: 'show instances' has the traces in it");
  llvm::Expected<CompileRequest> request = kernel_.request();
  if (!request)
    return request.takeError();
  if (looksLikeTrace(request->text)) {
    std::string given = inputs_          ? "--exec"
                        : hasPatches()   ? "--patch"
                        : hasPasses()    ? "--passes"
                        : hasLibraries() ? "--load"
                                         : kernel_.compileOption();
    if (!given.empty())
      return failure("'" + request->path + "' is a trace: " + given +
                     " is for a kernel that is compiled");
    llvm::Expected<Trace> trace = readTrace(request->text, request->path);
    if (!trace)
      return trace.takeError();
    if (!trace->recovery.empty())
      llvm::WithColor::warning(llvm::errs(), "tilescope") << trace->recovery << '\n';
    if (trace->passes.empty())
      return failure("'" + request->path + "' has no finished pass");
    return trace;
  }
  if (llvm::Error error = refuseBrokenTrace(request->path, request->text))
    return error;
  if (llvm::Error error = patches_.addTo(*request, {}))
    return error;
  if (llvm::Error error = passes_.addTo(*request))
    return error;
  return compileAndRecord(std::move(*request));
}

// The default pipeline begins with tiles.
static bool isOfAnotherLevel(const CompileResult &result) {
  return result.elaborated &&
         !llvm::all_of(result.elaborated->functions, [](const Function *function) {
           return function->properties.has(Property::Tile);
         });
}

llvm::Expected<Trace> TraceOptions::compileAndRecord(CompileRequest request) {
  request.emitCuda = !hasPasses();
  const ProblemOptions *inputs = inputs_ ? &*inputs_ : nullptr;
  RecordedCompile recorded = recordCompile(request, inputs);
  bool isJudgedAsItIs =
      !hasPasses() && looksLikeIr(request.text) && isOfAnotherLevel(recorded.result);
  if (isJudgedAsItIs) {
    request.passes = "";
    request.emitCuda = false;
    recorded = recordCompile(request, inputs);
  }
  compiled_ = std::move(recorded.result);
  hasFailed_ = !compiled_->succeeded();
  return std::move(recorded.trace);
}

AfterPassOption::AfterPassOption(llvm::cl::OptionCategory &category, llvm::StringRef help)
    : pass_("pass", llvm::cl::desc(help), llvm::cl::value_desc("NAME or INDEX"),
            llvm::cl::cat(category)) {}

llvm::Expected<size_t> AfterPassOption::select(const Trace &trace, size_t otherwise) const {
  llvm::StringRef wanted = pass_;
  if (wanted.empty())
    return otherwise;
  size_t index = 0;
  if (!wanted.getAsInteger(10, index) && index < trace.passes.size())
    return index;
  if (std::optional<size_t> pass = passOfPlace(trace, wanted))
    return *pass;
  std::vector<std::string> names;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    names.push_back(placeToFind(trace, pass));
  return failure("no pass '" + wanted + "' in this trace; it has: " + llvm::join(names, " ") +
                 didYouMean(wanted, names));
}

FormatOption::FormatOption(llvm::cl::OptionCategory &category, bool draws)
    : format_("format", llvm::cl::desc("How to print"), llvm::cl::init(Format::Text),
              llvm::cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                               clEnumValN(Format::Json, "json", "for scripts")),
              llvm::cl::cat(category)) {
  if (draws)
    format_.getParser().addLiteralOption("svg", Format::Svg, "a picture, of arena and lifetimes");
}

} // namespace tilescope
