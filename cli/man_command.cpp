// man: the manual page, in the macros of man(7).
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/verb_descriptions.h"

namespace tilescope {

namespace {

// A line of text: a backslash and a dash stand for themselves, and a dot or an apostrophe at the
// start is no request.
std::string roff(llvm::StringRef text) {
  std::string out = text.starts_with(".") || text.starts_with("'") ? "\\&" : "";
  for (char c : text)
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return out;
}

// What a page of 80 columns has room for beside its margin.
constexpr size_t MaxWidth = 71;

// A line of a table or a command that is too long, on several lines: a command where it can be
// broken, before an option.
std::string broken(llvm::StringRef line) {
  bool isCommand = line.trim().starts_with("tilescope ");
  std::string out, indent(line.size() - line.ltrim().size() + 4, ' ');
  std::string left = line.rtrim().str();
  while (left.size() > MaxWidth) {
    llvm::StringRef head = llvm::StringRef(left).take_front(MaxWidth - 1);
    size_t at = head.rfind(isCommand ? " -" : " ");
    if (at == llvm::StringRef::npos || head.take_front(at).trim().empty())
      break;
    out += roff(head.take_front(at).rtrim()) + (isCommand ? " \\e\n" : "\n");
    left.erase(0, at + 1);
    left.replace(0, left.size() - llvm::StringRef(left).ltrim().size(), indent);
  }
  return out + roff(left) + "\n";
}

// Paragraphs are filled, what is indented stands as it is.
std::string lines(llvm::StringRef text) {
  std::string out;
  bool isFilled = true;
  auto fill = [&](bool wanted) {
    if (isFilled != wanted)
      out += wanted ? ".fi\n" : ".nf\n";
    isFilled = wanted;
  };
  text = text.rtrim('\n');
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    fill(!line.starts_with(" "));
    out += line.empty() ? ".PP\n" : isFilled ? roff(line) + "\n" : broken(line);
  }
  fill(true);
  return out;
}

std::string optionText(const OptionDescription &option) {
  std::string text = ".TP\n.B " + roff(option.dashed());
  if (!option.value.empty())
    text += (option.isShort() ? "\\fR \\fI" : "\\fR=\\fI") + roff(option.value);
  text += "\n" + roff(option.help) + "\n";
  for (const ChoiceDescription &choice : option.choices)
    text += ".br\n\\fB" + roff(choice.name) + "\\fR  " + roff(choice.help) + "\n";
  return text;
}

std::string verbText(const VerbDescription &verb) {
  std::string text = ".SS " + roff(verb.name) + "\n";
  text +=
      ".B tilescope " + roff(verb.name) + "\\fR [options] " + roff(verb.positionals) + "\n.PP\n";
  text += lines(verb.overview.empty() ? verb.help + "." : verb.overview);
  for (const OptionDescription &option : verb.options)
    if (!option.isCommon && option.name != "help" && option.name != "help-list" &&
        option.name != "version")
      text += optionText(option);
  return text;
}

std::string manPage() {
  std::string text = std::string(".TH TILESCOPE 1 \"\" \"tilescope ") + ToolVersion +
                     "\" \"User Commands\"\n"
                     ".SH NAME\n"
                     "tilescope \\- a compiler workbench for tile kernels\n"
                     ".SH SYNOPSIS\n"
                     ".B tilescope\n.I verb\n[options]\n"
                     ".SH DESCRIPTION\n"
                     "Takes a TileLang kernel as it is, lowers it to CUDA C++ through its own\n"
                     "passes, and shows what each pass did to the program and to shared memory.\n"
                     "An option takes its value as the next word or behind an equals sign.\n"
                     ".SH VERBS\n";
  std::vector<VerbDescription> verbs = describeVerbs();
  for (const VerbDescription &verb : verbs)
    text += verbText(verb);
  text += ".SH OPTIONS OF EVERY VERB\n";
  for (const OptionDescription &option : verbs.front().options)
    if (option.isCommon)
      text += optionText(option);
  text += std::string(".SH FILES\n") + lines(ConfigurationHelp);
  return text + ".SH EXIT STATUS\n"
                "0: fine. 1: findings (of check, diff, find, run \\-\\-check). 2: trouble.\n";
}

constexpr const char *ManOverview = "Prints the manual page of all verbs.\n\n"
                                    "  tilescope man | man -l -\n"
                                    "  tilescope man > ~/.local/share/man/man1/tilescope.1\n";

} // namespace

int runMan(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope man");
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, ManOverview))
    return *exitCode;
  return report(writeFile("-", manPage()));
}

} // namespace tilescope
