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

struct LineReader {
  const std::string &path;
  size_t number = 0;

  llvm::Error failure(const llvm::Twine &cause) const {
    return llvm::createStringError(path + ":" + std::to_string(number) + ": " + cause);
  }

  llvm::Error takeSetting(llvm::StringRef setting, KernelInstance &instance) const {
    auto [name, value] = setting.split('=');
    if (name.empty() || !setting.contains('='))
      return failure("--set wants NAME=VALUE, not '" + setting + "'");
    instance.arguments.emplace_back(name.str(), value.str());
    return llvm::Error::success();
  }

  // `words` without the first.
  llvm::Error takeOptions(llvm::ArrayRef<const char *> words, KernelInstance &instance) const {
    while (!words.empty()) {
      llvm::StringRef word = words.front();
      words = words.drop_front();
      auto [option, value] = word.split('=');
      if (option != "--set" && option != "--target")
        return failure("an instance has --set and --target, not '" + word + "'");
      if (!word.contains('=')) {
        if (words.empty())
          return failure("nothing follows '" + word + "'");
        value = words.front();
        words = words.drop_front();
      }
      if (option == "--target")
        instance.target = value.str();
      else if (llvm::Error error = takeSetting(value, instance))
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
  if (!instance.target.empty())
    words.push_back("--target " + instance.target);
  return llvm::join(words, " ");
}

} // namespace tilescope
