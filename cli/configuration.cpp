#include "cli/configuration.h"

#include "cli/command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <map>

namespace tilescope {

namespace {

namespace cl = llvm::cl;

constexpr llvm::StringLiteral ConfigurationName = ".tilescope";
constexpr llvm::StringLiteral NoConfiguration = "none";

// How a process that parses one command line is told of it.
std::optional<std::string> chosenConfiguration;   // nullopt: nobody asked for one
std::map<std::string, std::string> placesOfNames; // of options that it has set

constexpr llvm::StringLiteral VerbNames[] = {
#define COMMAND(verb, Class, help) verb,
#include "cli/commands.def"
};

bool isVerb(llvm::StringRef name) { return llvm::is_contained(VerbNames, name); }

std::string nearestVerb(llvm::StringRef name) {
  return didYouMean(name, {std::begin(VerbNames), std::end(VerbNames)});
}

// Reads line after line; the error has no place yet.
class ConfigurationReader {
public:
  explicit ConfigurationReader(llvm::StringRef verb) : verb_(verb) {}

  llvm::Error read(llvm::StringRef line, const std::string &place,
                   std::vector<ConfiguredOption> &options) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      return llvm::Error::success();
    if (line.starts_with("["))
      return readSection(line);
    auto [name, value] = line.split('=');
    if (name.size() == line.size())
      return llvm::createStringError("expected OPTION = VALUE or [VERB], not '" + line + "'");
    if (!hasSection_)
      return llvm::createStringError("'" + name.trim() + "' stands below no [VERB]");
    name = name.trim();
    if (name.empty() || name.starts_with("-"))
      return llvm::createStringError("an option is written without dashes: '" + name.ltrim('-') +
                                     " = ...'");
    if (isForVerb_)
      options.push_back({name.str(), value.trim().str(), place});
    return llvm::Error::success();
  }

private:
  llvm::Error readSection(llvm::StringRef line) {
    if (!line.consume_front("[") || !line.consume_back("]") || line.trim().empty())
      return llvm::createStringError("a section is written [VERB], or [VERB VERB]");
    llvm::SmallVector<llvm::StringRef> verbs;
    line.split(verbs, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef verb : verbs)
      if (!isVerb(verb))
        return llvm::createStringError("no verb '" + verb + "'" + nearestVerb(verb));
    hasSection_ = true;
    isForVerb_ = llvm::is_contained(verbs, verb_);
    return llvm::Error::success();
  }

  llvm::StringRef verb_;
  bool hasSection_ = false;
  bool isForVerb_ = false;
};

bool namesFile(const cl::Option &option) {
  constexpr llvm::StringLiteral Names[] = {"FILE", "FILE.so", "TRACE", "LOCK", "DIR", "FOLDER"};
  return llvm::is_contained(Names, option.ValueStr);
}

// "": it may stand in a configuration.
std::string refusalOf(const ConfiguredOption &option, llvm::StringRef verb,
                      const llvm::StringMap<cl::Option *> &known) {
  auto found = known.find(option.name);
  bool isKnown = found != known.end() && found->second->getOptionHiddenFlag() == cl::NotHidden;
  if (!isKnown) {
    std::vector<std::string> names;
    for (const auto &entry : known)
      if (entry.getValue()->getOptionHiddenFlag() == cl::NotHidden)
        names.push_back(entry.getKey().str());
    return "'" + verb.str() + "' has no option '" + option.name + "'" +
           didYouMean(option.name, names);
  }
  bool isOfOneRun = option.name == "o" || option.name == "trace" || option.name == "update" ||
                    llvm::StringRef(option.name).starts_with("help") || option.name == "version";
  if (isOfOneRun || found->second->getNumAdditionalVals() > 1)
    return "'" + option.name + "' is for a command line alone";
  return "";
}

std::string valueOf(const ConfiguredOption &option, const cl::Option &known) {
  llvm::SmallString<128> path(option.value);
  if (!namesFile(known) || option.value == "-" || llvm::sys::path::is_absolute(option.value))
    return option.value;
  path = llvm::sys::path::parent_path(llvm::StringRef(option.place).rsplit(':').first);
  llvm::sys::path::append(path, option.value);
  return path.str().str();
}

// Of options, as words give them: without dashes.
bool isGiven(const CommandLine &commandLine, llvm::StringRef name) {
  for (llvm::StringRef word : llvm::ArrayRef(commandLine).drop_front()) {
    if (word == "--")
      return false;
    if (word.consume_front("-") && (word.consume_front("-"), word.split('=').first == name))
      return true;
  }
  return false;
}

} // namespace

std::string findConfiguration(llvm::StringRef folder) {
  llvm::SmallString<128> current(folder);
  if (llvm::sys::fs::make_absolute(current))
    return "";
  llvm::SmallString<128> first;
  for (; !current.empty(); llvm::sys::path::remove_filename(current)) {
    llvm::SmallString<128> file = current, git = current;
    llvm::sys::path::append(file, ConfigurationName);
    llvm::sys::path::append(git, ".git");
    if (first.empty() && llvm::sys::fs::is_regular_file(file))
      first = file;
    if (llvm::sys::fs::exists(git))
      return first.str().str();
    if (!llvm::sys::path::has_parent_path(current))
      break;
  }
  bool isHere = llvm::sys::path::parent_path(first) == folder;
  return isHere ? first.str().str() : "";
}

llvm::Expected<std::vector<ConfiguredOption>>
readConfiguration(llvm::StringRef text, const std::string &path, llvm::StringRef verb) {
  std::vector<ConfiguredOption> options;
  ConfigurationReader reader(verb);
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (size_t line = 0; line != lines.size(); ++line) {
    std::string place = path + ":" + std::to_string(line + 1);
    if (llvm::Error error = reader.read(lines[line], place, options))
      return llvm::createStringError(place + ": " + llvm::toString(std::move(error)));
  }
  return options;
}

void useConfiguration(const std::optional<std::string> &given) {
  const char *named = std::getenv("TILESCOPE_CONFIG");
  if (given || named)
    chosenConfiguration = given ? *given : named;
  else if (llvm::SmallString<128> here; !llvm::sys::fs::current_path(here))
    chosenConfiguration = findConfiguration(here);
  if (chosenConfiguration == NoConfiguration.str() || chosenConfiguration == "")
    chosenConfiguration.reset();
}

llvm::Expected<std::vector<std::string>> configuredWords(const CommandLine &commandLine) {
  std::vector<std::string> words;
  if (!chosenConfiguration)
    return words;
  llvm::Expected<std::string> text = readFile(*chosenConfiguration);
  if (!text)
    return text.takeError();
  llvm::StringRef verb = llvm::StringRef(commandLine.front()).rsplit(' ').second;
  llvm::Expected<std::vector<ConfiguredOption>> options =
      readConfiguration(*text, *chosenConfiguration, verb);
  if (!options)
    return options.takeError();
  const llvm::StringMap<cl::Option *> &known = cl::getRegisteredOptions();
  for (const ConfiguredOption &option : *options) {
    if (std::string why = refusalOf(option, verb, known); !why.empty())
      return llvm::createStringError(option.place + ": " + why);
    if (isGiven(commandLine, option.name))
      continue;
    const cl::Option &registered = *known.find(option.name)->second;
    placesOfNames[option.name] = option.place;
    std::string value = valueOf(option, registered);
    if (option.name.size() == 1) {
      words.push_back("-" + option.name);
      words.push_back(value);
    } else {
      words.push_back("--" + option.name + "=" + value);
    }
  }
  return words;
}

std::string configuredPlace(llvm::StringRef name) {
  auto found = placesOfNames.find(name.str());
  return found == placesOfNames.end() ? "" : found->second + ": ";
}

} // namespace tilescope
