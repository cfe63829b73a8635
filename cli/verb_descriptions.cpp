#include "cli/verb_descriptions.h"

#include "cli/command.h"
#include "cli/common_options.h"
#include "core/driver/option_settings.h"
#include "core/exports/csv_tables.h"
#include "core/json/json_value.h"
#include "core/target/target.h"
#include "core/views/pictures.h"
#include "core/views/view_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

namespace tilescope {

namespace {

constexpr struct {
  const char *name;
  const char *help;
} Verbs[] = {
#define COMMAND(verb, Class, help) {verb, help},
#include "cli/commands.def"
};

std::vector<ChoiceDescription> viewWords() {
  std::vector<ChoiceDescription> words;
  for (const ViewInfo &view : allViews())
    words.push_back({view.name.str(), view.help.str()});
  words.push_back({"instances", "the traces of a folder"});
  return words;
}

std::vector<ChoiceDescription> pictureWords() {
  std::vector<ChoiceDescription> words;
  for (const PictureInfo &picture : allPictures())
    words.push_back({picture.name.str(), ""});
  return words;
}

std::vector<ChoiceDescription> tableWords() {
  std::vector<ChoiceDescription> words;
  for (const CsvTable &table : allCsvTables())
    words.push_back({table.name.str(), ""});
  return words;
}

// A word for each value of a bool, and the default of any other.
std::vector<ChoiceDescription> passOptionWords() {
  std::vector<ChoiceDescription> words;
  for (const TraceParameter &option : defaultPassOptions(allTargets().front())) {
    std::vector<std::string> values = option.choices;
    if (values.empty())
      values = {option.defaultValue};
    for (const std::string &value : values)
      words.push_back({option.name + "=" + value, ""});
  }
  return words;
}

std::string namesOfOption(llvm::StringRef option) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> Kinds[] = {
      {"set", "arguments"},     {"set-before", "arguments"}, {"set-after", "arguments"},
      {"pass", "passes"},       {"buffer", "buffers"},       {"stop-before", "passes"},
      {"stop-after", "passes"}, {"print-after", "passes"},   {"print-before", "passes"}};
  for (const auto &[name, kind] : Kinds)
    if (option == name)
      return kind.str();
  return "";
}

std::vector<OptionDescription> commonOptions() {
  std::vector<OptionDescription> options;
  for (const CommonOptionText &text : AllCommonOptions) {
    OptionDescription &option = options.emplace_back();
    option.name = text.name;
    option.value = text.value;
    option.help = text.help;
    option.isCommon = true;
    if (option.name == "color")
      option.choices = {{"auto", ""}, {"always", ""}, {"never", ""}};
  }
  return options;
}

OptionDescription optionOf(const Json &json) {
  OptionDescription option;
  option.name = json.value("name", "");
  option.help = json.value("help", "");
  option.value = json.value("value", "");
  option.isRepeated = json.value("isRepeated", false);
  for (const Json &choice : json.value("choices", Json::array()))
    option.choices.push_back({choice.value("name", ""), choice.value("help", "")});
  if (option.name == "target")
    for (const Target &target : allTargets())
      option.choices.push_back({target.name.str(), ""});
  if (option.name == "pass-option")
    option.choices = passOptionWords();
  option.names = namesOfOption(option.name);
  if (option.value == "VIEW")
    option.choices = pictureWords();
  if (option.value == "TABLE")
    option.choices = tableWords();
  return option;
}

// "": it could not be asked.
std::string askVerb(const std::string &verb) {
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("tilescope-options", "json", path))
    return "";
  llvm::FileRemover remover(path);
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(), path.str(), llvm::StringRef()};
  if (llvm::sys::ExecuteAndWait(program, {program, verb, "--describe-options"}, std::nullopt,
                                streams) != 0)
    return "";
  llvm::Expected<std::string> text = readFile(path.str().str());
  if (text)
    return *text;
  llvm::consumeError(text.takeError());
  return "";
}

} // namespace

std::vector<VerbDescription> describeVerbs() {
  std::vector<VerbDescription> verbs;
  for (const auto &[name, help] : Verbs) {
    VerbDescription &verb = verbs.emplace_back();
    verb.name = name;
    verb.help = help;
    if (verb.name == "show")
      verb.firstWords = viewWords();
    if (verb.name == "completions")
      verb.firstWords = {{"bash", ""}, {"zsh", ""}, {"fish", ""}};
    verb.names = verb.name == "why" ? "buffers" : "";
    verb.takesFiles = verb.name != "completions" && verb.name != "man";
    Json json = Json::parse(askVerb(name), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
      continue;
    verb.overview = json.value("overview", "");
    verb.positionals = json.value("positionals", "");
    for (const Json &option : json.value("options", Json::array())) {
      verb.options.push_back(optionOf(option));
      verb.options.back().isList = verb.name == "sweep" && verb.options.back().name == "target";
    }
    llvm::append_range(verb.options, commonOptions());
  }
  return verbs;
}

} // namespace tilescope
