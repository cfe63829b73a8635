#include "cli/repro_bundle.h"

#include "core/driver/pass_library.h"
#include "core/driver/revision_compile.h"
#include "core/support/shell_word.h"
#include "core/trace/trace_origin.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <filesystem>
#include <map>

namespace tilescope {

namespace {

constexpr const char *ReplayWords = "replay.words";
constexpr const char *ReplayedTrace = "replayed.trace";
constexpr const char *ReplayMessages = "replayed.txt"; // what it says on standard error
constexpr llvm::StringLiteral LoadWord = "--load=";

std::filesystem::path wholePath(const std::string &path) {
  std::error_code code;
  std::filesystem::path whole = std::filesystem::absolute(path, code);
  return (code ? std::filesystem::path(path) : whole).lexically_normal();
}

// The longest folder that both are in.
std::filesystem::path commonFolder(const std::filesystem::path &a, const std::filesystem::path &b) {
  std::filesystem::path common;
  for (auto left = a.begin(), right = b.begin();
       left != a.end() && right != b.end() && *left == *right; ++left, ++right)
    common /= *left;
  return common;
}

llvm::Error writeInto(const std::filesystem::path &file, llvm::StringRef text) {
  std::error_code code;
  std::filesystem::create_directories(file.parent_path(), code);
  if (code)
    return llvm::createStringError("cannot make the folder '" + file.parent_path().string() +
                                   "': " + code.message());
  return writeFile(file.string(), text);
}

class BundleWriter {
public:
  BundleWriter(const Trace &trace, const std::string &folder)
      : header_(trace.header), folder_(folder) {}

  llvm::Error write(llvm::StringRef recorded, const std::vector<std::string> &pythonPath) {
    if (llvm::Error error = writeInto(folder_ / ReproTrace, recorded))
      return error;
    if (llvm::Error error = writeTree(pythonPath))
      return error;
    if (llvm::Error error = writeOthers())
      return error;
    return writeCommand();
  }

private:
  // What it imports is found by doing it.
  std::map<std::filesystem::path, std::string> readFiles(CompileRequest request) const {
    std::map<std::filesystem::path, std::string> files;
    files[wholePath(request.path)] = request.text;
    request.imports.read = [&](llvm::StringRef path) -> std::optional<std::string> {
      if (!llvm::sys::fs::is_regular_file(path))
        return std::nullopt;
      llvm::Expected<std::string> text = readFile(path.str());
      if (!text) {
        llvm::consumeError(text.takeError());
        return std::nullopt;
      }
      return files[wholePath(path.str())] = std::move(*text);
    };
    request.stopAfter = "elaborate";
    compile(request);
    return files;
  }

  llvm::Error writeTree(const std::vector<std::string> &pythonPath) {
    CompileRequest request = requestOf(header_);
    request.passes = ""; // which may be those of a library
    request.imports.pythonPath = pythonPath;
    std::filesystem::path kernel = wholePath(request.path);
    std::map<std::filesystem::path, std::string> files = readFiles(std::move(request));
    std::filesystem::path root = kernel.parent_path();
    for (const auto &[file, text] : files)
      root = commonFolder(root, file.parent_path());
    auto inTree = [&](const std::filesystem::path &path) {
      return std::filesystem::path("tree") / path.lexically_relative(root);
    };
    for (const auto &[file, text] : files)
      if (llvm::Error error = writeInto(folder_ / inTree(file), text))
        return error;
    std::string name = inTree(kernel).generic_string();
    words_ = {"compile", header_.function.empty() ? name : name + ":" + header_.function};
    for (const std::string &path : pythonPath) {
      std::string folder = inTree(wholePath(path)).lexically_normal().generic_string();
      // Nothing was imported from one that lies elsewhere.
      if (llvm::StringRef(folder + "/").starts_with("tree/"))
        add("--python-path", folder);
    }
    return llvm::Error::success();
  }

  // Patches, libraries and the trace of --previous, and options without files.
  llvm::Error writeOthers() {
    for (const TraceParameter &parameter : header_.parameters)
      add("--set", parameter.name + "=" + parameter.value);
    add("--target", header_.target);
    add("--passes", header_.pipeline);
    if (!header_.planFor.empty())
      add("--plan-for", header_.planFor);
    if (header_.allowHazards)
      words_.emplace_back("--allow-hazards");
    if (header_.noAliases)
      words_.emplace_back("--no-aliases");
    if (!header_.previous.empty())
      if (llvm::Error error = addFile("--previous", header_.previous, "previous.trace"))
        return error;
    size_t count = 0;
    for (const std::string &patch : header_.patches)
      if (llvm::Error error =
              addFile("--patch", patch, "patches/" + std::to_string(++count) + ".patch"))
        return error;
    return writeLibraries();
  }

  llvm::Error writeLibraries() {
    size_t count = 0;
    for (const std::string &library : header_.libraries) {
      if (llvm::Error error = checkPassLibrary(library))
        return llvm::createStringError("the bundle would lack a library of --load: " +
                                       llvm::toString(std::move(error)));
      if (llvm::Error error =
              addFile("--load", library, "libraries/" + std::to_string(++count) + ".so"))
        return error;
    }
    return llvm::Error::success();
  }

  llvm::Error writeCommand() const {
    std::string script = "#!/bin/sh\n# Recorded by tilescope " + header_.toolVersion +
                         ", trace format " + std::to_string(header_.major) + "." +
                         std::to_string(header_.minor) +
                         ". 'tilescope repro' of the archive does the same and compares.\n"
                         "cd \"$(dirname \"$0\")\" && exec tilescope";
    std::string lines;
    for (const std::string &word : words_) {
      script += " " + shellWord(word);
      lines += word + "\n";
    }
    script += std::string(" -o /dev/null --trace ") + ReplayedTrace + "\n";
    if (llvm::Error error = writeInto(folder_ / ReplayWords, lines))
      return error;
    return writeInto(folder_ / "replay.sh", script);
  }

  void add(const std::string &option, const std::string &value) {
    words_.push_back(option + "=" + value);
  }

  llvm::Error addFile(const std::string &option, const std::string &file, const std::string &name) {
    llvm::Expected<std::string> text = readFile(file);
    if (!text)
      return llvm::createStringError("the bundle would lack a file of " + option + ": " +
                                     llvm::toString(text.takeError()));
    add(option, name);
    return writeInto(folder_ / name, *text);
  }

  const TraceHeader &header_;
  std::filesystem::path folder_;
  std::vector<std::string> words_;
};

llvm::Error runProgram(llvm::StringRef name, const std::vector<std::string> &words) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(name);
  if (!program)
    return llvm::createStringError("there is no " + name + " in PATH");
  std::vector<llvm::StringRef> command{*program};
  command.insert(command.end(), words.begin(), words.end());
  std::string said;
  int exitCode = llvm::sys::ExecuteAndWait(*program, command, std::nullopt, {}, 0, 0, &said);
  if (exitCode == 0)
    return llvm::Error::success();
  return llvm::createStringError(name + " failed" + (said.empty() ? "" : ": " + said));
}

std::vector<std::string> errorsOf(const Trace &trace) {
  std::vector<std::string> errors;
  for (const TraceDiagnostic &diagnostic : trace.diagnostics)
    if (diagnostic.severity == "error")
      errors.push_back(lineText("line ", diagnostic.sourceLine(), ": ") + diagnostic.text + " [" +
                       diagnostic.id + "]");
  return errors;
}

std::string without(llvm::StringRef text, llvm::StringRef word) {
  std::string rest;
  while (!text.empty()) {
    auto [before, after] = text.split(word);
    rest += before;
    text = after;
  }
  return rest;
}

// The kernel file stands in comments of the CUDA, with its path or without.
std::string cudaWithoutPath(const Trace &trace) {
  llvm::StringRef file = trace.header.file;
  return without(without(trace.cuda, file), llvm::sys::path::filename(file));
}

// Of a file in the folder of a bundle.
bool isInFolder(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef> parts;
  path.split(parts, '/');
  return !path.empty() && !path.starts_with("/") && !llvm::is_contained(parts, "..");
}

// As BundleWriter writes them: no other word may reach a compile that somebody sent.
bool isBundleWord(llvm::StringRef word, size_t index) {
  if (index == 0)
    return word == "compile";
  if (index == 1)
    return word.starts_with("tree/") && isInFolder(word);
  for (llvm::StringRef option : {"--python-path=", "--previous=", "--patch=", "--load="})
    if (word.consume_front(option))
      return isInFolder(word);
  return word == "--allow-hazards" || word == "--no-aliases" ||
         llvm::any_of(
             llvm::ArrayRef<llvm::StringRef>({"--set=", "--target=", "--passes=", "--plan-for="}),
             [&](llvm::StringRef option) { return word.starts_with(option); });
}

} // namespace

llvm::Error writeBundle(const Trace &trace, llvm::StringRef recorded,
                        const std::vector<std::string> &pythonPath, const std::string &folder) {
  if (isForeign(trace.header) || isPlanAlone(trace.header))
    return llvm::createStringError(
        "only compiles by Tilescope's own passes can be done again, and "
        "this is one of " +
        (trace.header.compiler.empty() ? "a plan alone" : trace.header.compiler));
  return BundleWriter(trace, folder).write(recorded, pythonPath);
}

llvm::Expected<BundleCommand> readBundleCommand(const std::string &folder) {
  llvm::Expected<std::string> text = readFile(folder + "/" + ReplayWords);
  if (!text)
    return text.takeError();
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(*text).split(words, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  BundleCommand command;
  for (llvm::StringRef word : words) {
    if (!isBundleWord(word, command.words.size()))
      return llvm::createStringError("'" + folder + "' is no bundle of 'tilescope repro': '" +
                                     word + "' is not among the words of one");
    command.words.push_back(word.str());
    if (word.consume_front(LoadWord))
      command.libraries.push_back(folder + "/" + word.str());
  }
  if (command.words.size() < 2)
    return llvm::createStringError("'" + folder + "' is no bundle of 'tilescope repro'");
  return command;
}

llvm::Expected<Trace> replayBundle(const std::string &folder, const BundleCommand &command) {
  for (const std::string &library : command.libraries)
    if (llvm::Error error = checkPassLibrary(library))
      return error;
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  std::vector<llvm::StringRef> words{program};
  words.insert(words.end(), command.words.begin(), command.words.end());
  for (llvm::StringRef word : {"--config=none", "-o", "/dev/null", "--trace"})
    words.push_back(word);
  words.emplace_back(ReplayedTrace);
  std::error_code code;
  for (const char *file : {ReplayedTrace, ReplayMessages})
    std::filesystem::remove(std::filesystem::path(folder) / file, code);
  std::filesystem::path here = std::filesystem::current_path(code);
  std::filesystem::current_path(folder, code);
  if (code)
    return llvm::createStringError("cannot enter '" + folder + "': " + code.message());
  // Its diagnostics are in the trace, if it comes to one.
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(), llvm::StringRef(),
                                              llvm::StringRef(ReplayMessages)};
  llvm::sys::ExecuteAndWait(program, words, std::nullopt, streams);
  std::filesystem::current_path(here, code);
  std::string trace = folder + "/" + ReplayedTrace;
  if (llvm::sys::fs::exists(trace))
    return readTraceFile(trace);
  llvm::Expected<std::string> said = readFile(folder + "/" + ReplayMessages);
  if (!said)
    return said.takeError();
  return llvm::createStringError("done again, it recorded nothing: " +
                                 llvm::StringRef(*said).trim());
}

std::vector<std::string> replayDifferences(const Trace &recorded, const Trace &replayed) {
  std::vector<std::string> differences;
  for (const std::string &error : errorsOf(recorded))
    if (!llvm::is_contained(errorsOf(replayed), error))
      differences.push_back("no longer: " + error);
  for (const std::string &error : errorsOf(replayed))
    if (!llvm::is_contained(errorsOf(recorded), error))
      differences.push_back("new: " + error);
  for (auto [before, after] : llvm::zip(recorded.passes, replayed.passes))
    if (before.name != after.name || before.status != after.status) {
      differences.push_back("pass " + before.name + " does not do what it did");
      break;
    }
  if (recorded.passes.size() != replayed.passes.size())
    differences.push_back(std::to_string(replayed.passes.size()) + " passes ended, not " +
                          std::to_string(recorded.passes.size()));
  if (cudaWithoutPath(recorded) != cudaWithoutPath(replayed))
    differences.emplace_back("the CUDA differs");
  return differences;
}

std::string outcomeText(const Trace &trace) {
  std::vector<std::string> errors = errorsOf(trace);
  if (errors.empty())
    return trace.cuda.empty() ? "no error, and no CUDA" : "it compiles";
  return errors.front() +
         (errors.size() > 1 ? ", and " + std::to_string(errors.size() - 1) + " more" : "");
}

llvm::Error packFolder(const std::string &folder, const std::string &archive) {
  return runProgram("tar", {"--create", "--force-local", "--auto-compress", "--sort=name",
                            "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--file",
                            archive, "--directory", llvm::sys::path::parent_path(folder).str(),
                            llvm::sys::path::filename(folder).str()});
}

llvm::Expected<std::string> unpackFolder(const std::string &archive, const std::string &into) {
  std::error_code code = llvm::sys::fs::access(archive, llvm::sys::fs::AccessMode::Exist);
  if (code)
    return llvm::createStringError("cannot read '" + archive + "': " + code.message());
  if (llvm::Error error = runProgram("tar", {"--extract", "--force-local", "--no-same-owner",
                                             "--file", archive, "--directory", into}))
    return llvm::createStringError("cannot unpack '" + archive +
                                   "': " + llvm::toString(std::move(error)));
  for (const auto &entry : std::filesystem::recursive_directory_iterator(into, code))
    if (!entry.is_directory() && (entry.is_symlink() || !entry.is_regular_file()))
      return llvm::createStringError("'" + archive +
                                     "' is no bundle of 'tilescope repro': it holds '" +
                                     entry.path().filename().string() + "', which is no file");
  for (llvm::sys::fs::directory_iterator entry(into, code), end; entry != end && !code;
       entry.increment(code))
    if (llvm::sys::fs::exists(entry->path() + "/" + ReplayWords))
      return entry->path();
  return llvm::createStringError("'" + archive + "' holds no bundle of 'tilescope repro'");
}

} // namespace tilescope
