#include "cli/completed_names.h"

#include "cli/command.h"
#include "core/driver/option_settings.h"
#include "core/frontend/frontend.h"
#include "core/run/pass_execution.h"
#include "core/syntax/parser.h"
#include "core/trace/trace_queries.h"
#include "core/trace_file/trace_reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

#include <set>

namespace tilescope {

namespace {

constexpr std::pair<llvm::StringLiteral, NameKind> Kinds[] = {{"kernels", NameKind::Kernels},
                                                              {"arguments", NameKind::Arguments},
                                                              {"passes", NameKind::Passes},
                                                              {"buffers", NameKind::Buffers}};

// A line that is being typed.
class TypedLine {
public:
  explicit TypedLine(llvm::StringRef line) {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine(line, saver, words);
    words_.assign(words.begin(), words.end());
    for (size_t i = std::min<size_t>(2, words_.size()); i != words_.size(); ++i)
      take(i);
  }

  // FILE[:FUNCTION] of a file that is there; "": none yet.
  const std::string &file() const { return file_; }
  const std::string &function() const { return function_; }

  CompileRequest request(std::string text) const {
    CompileRequest request;
    request.path = file_;
    request.text = std::move(text);
    request.function = function_;
    request.arguments = settings_;
    if (!target_.empty())
      request.target = target_;
    return request;
  }

private:
  void take(size_t at) {
    llvm::StringRef word = words_[at];
    if (std::optional<std::string> setting = valueOf(at, "set")) {
      auto [name, value] = llvm::StringRef(*setting).split('=');
      if (!value.empty())
        settings_.emplace_back(name.str(), value.str());
    } else if (std::optional<std::string> target = valueOf(at, "target")) {
      target_ = *target;
    } else if (file_.empty() && !word.starts_with("-")) {
      auto [path, function] = splitKernelName(word.str());
      if (llvm::sys::fs::is_regular_file(path))
        std::tie(file_, function_) = std::pair(path, function);
    }
  }

  // Of "--set M=1" and "--set=M=1".
  std::optional<std::string> valueOf(size_t at, llvm::StringRef option) const {
    llvm::StringRef word = words_[at];
    if (!word.consume_front("--") || !word.consume_front(option))
      return std::nullopt;
    if (word.consume_front("="))
      return word.str();
    bool hasNext = word.empty() && at + 1 != words_.size();
    return hasNext ? std::optional(words_[at + 1]) : std::nullopt;
  }

  std::vector<std::string> words_;
  std::string file_;
  std::string function_;
  std::vector<std::pair<std::string, std::string>> settings_;
  std::string target_;
};

std::vector<KernelInfo> kernelsOf(const std::string &path, const std::string &text) {
  SourceFiles files;
  Diagnostics unread;
  std::unique_ptr<ast::Module> module = parseModule(files.add(path, text), files, unread);
  return unread.hasErrors() ? std::vector<KernelInfo>() : listKernels(*module, files);
}

std::vector<std::string> sortedNames(const std::set<std::string> &names) {
  return {names.begin(), names.end()};
}

std::vector<std::string> argumentNames(const TypedLine &line, const std::string &text) {
  std::set<std::string> names;
  if (looksLikeTrace(text)) {
    if (llvm::Expected<Trace> trace = readTrace(text, line.file()))
      for (const TraceParameter &parameter : trace->header.parameters)
        names.insert(parameter.name + "=");
    else
      llvm::consumeError(trace.takeError());
    return sortedNames(names);
  }
  for (const KernelInfo &kernel : kernelsOf(line.file(), text))
    if (line.function().empty() || kernel.path == line.function())
      for (const KernelParameter &parameter : kernel.parameters)
        names.insert(parameter.name + "=");
  return sortedNames(names);
}

// An empty one: it cannot be read, or does not come to its first pass.
Trace traceOf(const TypedLine &line, std::string text) {
  if (!looksLikeTrace(text))
    return recordCompile(line.request(std::move(text)), nullptr).trace;
  llvm::Expected<Trace> trace = readTrace(text, line.file());
  if (trace)
    return std::move(*trace);
  llvm::consumeError(trace.takeError());
  return {};
}

std::vector<std::string> passNames(const Trace &trace) {
  std::vector<std::string> names;
  for (size_t pass = 0; pass != trace.passes.size(); ++pass)
    names.push_back(placeToFind(trace, pass));
  return names.empty() ? namesOfPasses() : names;
}

std::vector<std::string> bufferNames(const Trace &trace) {
  std::set<std::string> names;
  if (!trace.snapshots.empty())
    for (const BufferRecord &buffer : *trace.snapshots.back().buffers)
      names.insert(buffer.name);
  return sortedNames(names);
}

} // namespace

std::optional<NameKind> nameKindOf(llvm::StringRef word) {
  for (const auto &[name, kind] : Kinds)
    if (name == word)
      return kind;
  return std::nullopt;
}

std::string nameKindWords() {
  std::string words;
  for (const auto &[name, kind] : Kinds)
    words += (words.empty() ? "" : " ") + name.str();
  return words;
}

std::vector<std::string> completedNames(NameKind kind, llvm::StringRef text) {
  TypedLine line(text);
  llvm::Expected<std::string> content = line.file().empty() ? std::string() : readFile(line.file());
  if (!content) {
    llvm::consumeError(content.takeError());
    return {};
  }
  if (line.file().empty())
    return kind == NameKind::Passes ? namesOfPasses() : std::vector<std::string>();
  switch (kind) {
  case NameKind::Kernels: {
    std::vector<KernelInfo> kernels = kernelsOf(line.file(), *content);
    std::vector<std::string> names;
    names.reserve(kernels.size());
    for (const KernelInfo &kernel : kernels)
      names.push_back(kernel.path);
    return names;
  }
  case NameKind::Arguments:
    return argumentNames(line, *content);
  case NameKind::Passes:
    return passNames(traceOf(line, std::move(*content)));
  case NameKind::Buffers:
    return bufferNames(traceOf(line, std::move(*content)));
  }
  return {};
}

} // namespace tilescope
