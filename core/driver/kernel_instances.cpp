#include "core/driver/kernel_instances.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Mark = "# tilescope:";

using Settings = std::vector<std::pair<std::string, std::string>>;

struct LineReader {
  const std::string &path;
  size_t number = 0;

  llvm::Error failure(const llvm::Twine &cause) const {
    return llvm::createStringError(path + ":" + std::to_string(number) + ": " + cause);
  }

  llvm::Error takeSetting(llvm::StringRef option, llvm::StringRef wanted, llvm::StringRef setting,
                          Settings &settings) const {
    auto [name, value] = setting.split('=');
    if (name.empty() || !setting.contains('='))
      return failure(option + " wants " + wanted + ", not '" + setting + "'");
    settings.emplace_back(name.str(), value.str());
    return llvm::Error::success();
  }

  // `words` without the first.
  llvm::Error takeOptions(llvm::ArrayRef<const char *> words, KernelInstance &instance) const {
    while (!words.empty()) {
      llvm::StringRef word = words.front();
      words = words.drop_front();
      auto [option, value] = word.split('=');
      if (option != "--set" && option != "--target" && option != "--pass-option")
        return failure("an instance has --set, --pass-option and --target, not '" + word + "'");
      if (!word.contains('=')) {
        if (words.empty())
          return failure("nothing follows '" + word + "'");
        value = words.front();
        words = words.drop_front();
      }
      llvm::Error error = llvm::Error::success();
      if (option == "--target")
        instance.target = value.str();
      else if (option == "--set")
        error = takeSetting(option, "NAME=VALUE", value, instance.arguments);
      else
        error = takeSetting(option, "PASS.NAME=VALUE", value, instance.passOptions);
      if (error)
        return error;
    }
    return llvm::Error::success();
  }

  // The first word is given to `takeName`.
  llvm::Expected<KernelInstance>
  read(llvm::StringRef line,
       llvm::function_ref<void(llvm::StringRef, KernelInstance &)> takeName) const {
    llvm::BumpPtrAllocator allocator;
    llvm::StringSaver saver(allocator);
    llvm::SmallVector<const char *> words;
    llvm::cl::TokenizeGNUCommandLine(line, saver, words);
    KernelInstance instance;
    instance.line = number;
    if (words.empty())
      return failure("no kernel function");
    takeName(words.front(), instance);
    if (llvm::Error error = takeOptions(llvm::ArrayRef(words).drop_front(), instance))
      return error;
    return instance;
  }
};

llvm::Expected<std::vector<KernelInstance>>
readLines(llvm::StringRef text, const std::string &path,
          llvm::function_ref<std::optional<llvm::StringRef>(llvm::StringRef)> instanceOf,
          llvm::function_ref<void(llvm::StringRef, KernelInstance &)> takeName) {
  std::vector<KernelInstance> instances;
  LineReader reader{path};
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++reader.number;
    std::optional<llvm::StringRef> words = instanceOf(line.rtrim());
    if (!words)
      continue;
    llvm::Expected<KernelInstance> instance = reader.read(*words, takeName);
    if (!instance)
      return instance.takeError();
    instances.push_back(std::move(*instance));
  }
  return instances;
}

} // namespace

llvm::Expected<std::vector<KernelInstance>> instancesOfKernel(llvm::StringRef text,
                                                              const std::string &path) {
  auto instanceOf = [](llvm::StringRef line) -> std::optional<llvm::StringRef> {
    if (!line.consume_front(Mark))
      return std::nullopt;
    return line;
  };
  return readLines(text, path, instanceOf, [&](llvm::StringRef name, KernelInstance &instance) {
    instance.path = path;
    instance.function = name.str();
  });
}

llvm::Expected<std::vector<KernelInstance>> instancesOfList(llvm::StringRef text,
                                                            const std::string &path) {
  auto instanceOf = [](llvm::StringRef line) -> std::optional<llvm::StringRef> {
    line = line.ltrim();
    if (line.empty() || line.starts_with("#"))
      return std::nullopt;
    return line;
  };
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  return readLines(text, path, instanceOf, [&](llvm::StringRef name, KernelInstance &instance) {
    auto [file, function] =
        name.contains(':') ? name.rsplit(':') : std::pair(name, llvm::StringRef());
    llvm::SmallString<128> whole(file);
    if (!llvm::sys::path::is_absolute(file)) {
      whole = folder;
      llvm::sys::path::append(whole, file);
    }
    instance.path = whole.str().str();
    instance.function = function.str();
  });
}

std::string labelOf(const KernelInstance &instance) {
  std::vector<std::pair<std::string, std::string>> arguments = instance.arguments;
  llvm::stable_sort(arguments, llvm::less_first());
  std::vector<std::string> words;
  if (!instance.function.empty())
    words.push_back(instance.function);
  for (const auto &[name, value] : arguments)
    words.push_back(llvm::formatv("--set {0}={1}", name, value));
  for (const auto &[name, value] : instance.passOptions)
    words.push_back(llvm::formatv("--pass-option {0}={1}", name, value));
  if (!instance.target.empty())
    words.push_back("--target " + instance.target);
  return llvm::join(words, " ");
}

// In quotes where TokenizeGNUCommandLine would else not give it back.
static std::string asWord(llvm::StringRef text) {
  if (!text.empty() && text.find_first_of(" \t\r\n\"'\\") == text.npos)
    return text.str();
  std::string word = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      word += '\\';
    word += c;
  }
  return word + "\"";
}

std::string lineOf(const KernelInstance &instance) {
  std::vector<std::string> words{Mark.str(), asWord(instance.function)};
  for (const auto &[name, value] : instance.arguments)
    words.push_back("--set " + asWord(name + "=" + value));
  for (const auto &[name, value] : instance.passOptions)
    words.push_back("--pass-option " + asWord(name + "=" + value));
  if (!instance.target.empty())
    words.push_back("--target " + instance.target);
  return llvm::join(words, " ");
}

// Lines with their breaks.
static std::vector<llvm::StringRef> linesOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(length));
    text = text.drop_front(length);
  }
  return lines;
}

std::string withLine(llvm::StringRef text, llvm::StringRef line, size_t replaced) {
  std::vector<llvm::StringRef> lines = linesOf(text);
  std::string end = !lines.empty() && lines.front().ends_with("\r\n") ? "\r\n" : "\n";
  std::string whole;
  if (replaced != 0) {
    for (const auto &[i, old] : llvm::enumerate(lines))
      whole += i + 1 == replaced ? line.str() + old.drop_front(old.rtrim("\r\n").size()).str()
                                 : old.str();
    return whole;
  }
  size_t place = 0;
  while (place != lines.size() && lines[place].starts_with("#"))
    ++place;
  for (const auto &[i, old] : llvm::enumerate(lines))
    if (old.starts_with(Mark))
      place = i + 1;
  for (llvm::StringRef old : llvm::ArrayRef(lines).take_front(place))
    whole += old;
  if (!whole.empty() && !llvm::StringRef(whole).ends_with("\n"))
    whole += end;
  whole += line.str() + end;
  for (llvm::StringRef old : llvm::ArrayRef(lines).drop_front(place))
    whole += old;
  return whole;
}

std::string withoutInstances(llvm::StringRef text) {
  std::string rest;
  for (llvm::StringRef line : linesOf(text))
    if (!line.starts_with(Mark))
      rest += line;
  return rest;
}

} // namespace tilescope
