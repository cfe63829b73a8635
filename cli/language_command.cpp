// language: which names of tilelang.language kernels may use.
#include "cli/command.h"
#include "cli/language_report.h"

#include "core/json/json_value.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

enum class LanguageFormat : uint8_t { Text, Markdown, JsonText };

// A row a name, so that changes of two of them do not meet in one line.
std::string languagePage(const std::vector<LanguageName> &names) {
  std::string text =
      "# The names of `tilelang.language`\n\n"
      "Printed by `tilescope language --format markdown` from `core/frontend/builtins.def` and\n"
      "`core/frontend/not_yet.def` (`tests/tools/update_language.py` writes it); `./dev peer` "
      "compares it "
      "with TileLang's\nwheel. What works does so on every target of `--target`. `not yet` is an "
      "error at the line that uses it, which says\nfor which targets TileLang has it, where that "
      "is "
      "not every GPU, and what to write instead.\n`no effect` is taken, and changes nothing of "
      "what is "
      "made.\n\n"
      "A tile operation under a condition on the thread (`if tx < 128: T.copy(...)`) is done by "
      "all "
      "threads of the block, one\nside after the other: right, and slower than by those alone.\n\n"
      "| name | | instead, or why |\n|---|---|---|\n";
  for (const LanguageName &name : names) {
    std::string state = !name.ignoredFor.empty() ? "no effect"
                        : name.works             ? "works"
                        : name.targets.empty()   ? "not yet"
                                                 : "not yet; of " + name.targets;
    text += "| `" + name.name + "` | " + state + " | " +
            (name.ignoredFor.empty() ? name.instead : name.ignoredFor) + " |\n";
  }
  return text;
}

std::string languageLines(const std::vector<LanguageName> &names) {
  std::string text;
  for (const LanguageName &name : names) {
    llvm::StringRef state = !name.ignoredFor.empty() ? "no effect"
                            : name.works             ? "works"
                                                     : "not yet";
    std::string line = llvm::formatv("{0,-38} {1}", name.name, state);
    if (!name.ignoredFor.empty())
      line += ": " + name.ignoredFor;
    if (!name.targets.empty())
      line += ", of " + name.targets;
    if (!name.instead.empty())
      line += "; instead: " + name.instead;
    text += line + "\n";
  }
  return text;
}

std::string languageOverview() {
  return "Prints every name of tilelang.language: whether it works, or is taken without effect and "
         "why, "
         "and\nof the others for which targets TileLang has them and what a kernel may write "
         "instead.\n\n"
         "  tilescope language\n  tilescope language --format json\n";
}

} // namespace

int runLanguage(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope language");
  ChoiceOption<LanguageFormat> format(
      "format", llvm::cl::desc("How to print"), llvm::cl::init(LanguageFormat::Text),
      llvm::cl::values(
          clEnumValN(LanguageFormat::Text, "text", "a line a name"),
          clEnumValN(LanguageFormat::Markdown, "markdown", "the page docs/language.md"),
          clEnumValN(LanguageFormat::JsonText, "json", "a list of objects")),
      llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, languageOverview()))
    return *exitCode;
  std::vector<LanguageName> names = languageNames();
  std::string text = format == LanguageFormat::JsonText   ? dumpJson(toJson(names))
                     : format == LanguageFormat::Markdown ? languagePage(names)
                                                          : languageLines(names);
  return report(writeFile("-", text));
}

} // namespace tilescope
