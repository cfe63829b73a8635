// completions: the script that makes a shell complete our command lines.
#include "cli/command.h"
#include "cli/verb_descriptions.h"
#include "core/support/shell_word.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

std::string fishQuoted(llvm::StringRef text) {
  std::string out = "'";
  for (char c : text)
    out += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + "'";
}

std::string wordsOf(const std::vector<ChoiceDescription> &choices) {
  std::string words;
  for (const ChoiceDescription &choice : choices)
    words += (words.empty() ? "" : " ") + choice.name;
  return words;
}

std::string bashScript(const std::vector<VerbDescription> &verbs) {
  std::string names, values, options, firstWords, fileless;
  for (const VerbDescription &verb : verbs) {
    names += " " + verb.name;
    if (!verb.takesFiles)
      fileless += (fileless.empty() ? "" : " | ") + verb.name;
    std::string dashed, files;
    for (const OptionDescription &option : verb.options) {
      dashed += " " + option.dashed();
      if (!option.choices.empty())
        values += "    " + verb.name + option.dashed() +
                  ") words=" + shellQuoted(wordsOf(option.choices)) +
                  (option.isList ? " list=1" : "") + " ;;\n";
      else if (!option.value.empty())
        files += (files.empty() ? "" : " | ") + verb.name + option.dashed();
    }
    if (!files.empty())
      values += "    " + files + ") files=1 ;;\n";
    options +=
        "    " + verb.name + ") words=" + shellQuoted(llvm::StringRef(dashed).trim()) + " ;;\n";
    if (!verb.firstWords.empty())
      firstWords +=
          "    " + verb.name + ") words=" + shellQuoted(wordsOf(verb.firstWords)) + " ;;\n";
  }
  // "--format=svg" is three words to bash, unless "=" breaks none.
  return "# bash completion of tilescope: source <(tilescope completions bash)\n"
         "_tilescope() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
         "  local verb=\"${COMP_WORDS[1]}\" words='' files='' list='' head=''\n"
         "  [ \"$current\" = = ] && current=''\n"
         "  [ \"$before\" = = ] && before=\"${COMP_WORDS[COMP_CWORD - 2]}\"\n"
         "  [ \"$COMP_CWORD\" = 1 ] && { mapfile -t COMPREPLY < <(compgen -W '" +
         llvm::StringRef(names).trim().str() +
         "' -- \"$current\"); return; }\n"
         "  case \"$verb$before\" in\n" +
         values +
         "  esac\n"
         "  [ \"$words$files\" = '' ] && case \"$current\" in\n"
         "  -*) case \"$verb\" in\n" +
         options +
         "    esac ;;\n"
         "  *) [ \"$COMP_CWORD\" = 2 ] && case \"$verb\" in\n" +
         firstWords +
         "    esac ;;\n"
         "  esac\n"
         "  [ -n \"$list\" ] && [[ \"$current\" == *,* ]] && head=\"${current%,*},\"\n"
         "  if [ -n \"$words\" ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- "
         "\"${current#\"$head\"}\")\n"
         "  elif [ -z \"$files\" ] && case \"$verb\" in " +
         fileless +
         ") true ;; *) false ;; esac; then COMPREPLY=()\n"
         "  else mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); fi\n"
         "}\n"
         "complete -o filenames -F _tilescope tilescope\n";
}

// Of a specification of _arguments.
std::string zshText(llvm::StringRef text) {
  std::string out;
  for (char c : text)
    out += (llvm::StringRef("[]:\\").contains(c) ? "\\" : "") + std::string(1, c);
  return out;
}

std::string zshOption(const OptionDescription &option) {
  bool isFlag = option.value.empty();
  std::string text = (option.isRepeated ? "*" : "") + option.dashed();
  text += (isFlag || option.isShort() ? "" : "=") + ("[" + zshText(option.help) + "]");
  if (isFlag)
    return text;
  text += ":" + zshText(option.value) + ":";
  if (option.choices.empty())
    return text + "_files";
  std::string words = wordsOf(option.choices);
  return text + (option.isList ? "_sequence compadd - " + words : "(" + words + ")");
}

std::string zshScript(const std::vector<VerbDescription> &verbs) {
  std::string names, cases;
  for (const VerbDescription &verb : verbs) {
    names += "    " + shellQuoted(zshText(verb.name) + ":" + verb.help) + "\n";
    cases += "  " + verb.name + ")\n    _arguments -S";
    for (const OptionDescription &option : verb.options)
      cases += " \\\n      " + shellQuoted(zshOption(option));
    if (!verb.firstWords.empty())
      cases += " \\\n      " + shellQuoted("1:word:(" + wordsOf(verb.firstWords) + ")");
    cases += verb.takesFiles ? " \\\n      '*:file:_files' ;;\n" : " ;;\n";
  }
  return "#compdef tilescope\n"
         "# zsh completion of tilescope: a file _tilescope in a folder of $fpath\n"
         "_tilescope() {\n"
         "  local -a verbs=(\n" +
         names +
         "  )\n"
         "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
         "  local verb=${words[2]}\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $verb in\n" +
         cases +
         "  esac\n"
         "}\n"
         "(( $+functions[compdef] )) && compdef _tilescope tilescope\n";
}

std::string fishOption(const OptionDescription &option) {
  std::string text =
      (option.isShort() ? " -s " : " -l ") + option.name + " -d " + fishQuoted(option.help);
  std::string words = wordsOf(option.choices);
  if (option.isList)
    return text + " -x -a " +
           fishQuoted("(__fish_complete_list , 'string split \" \" \"" + words + "\"')");
  if (!option.choices.empty())
    return text + " -x -a " + fishQuoted(words);
  return text + (option.value.empty() ? "" : " -r");
}

std::string fishScript(const std::vector<VerbDescription> &verbs) {
  std::string text = "# fish completion of tilescope: tilescope completions fish | source\n"
                     "complete -c tilescope -n __fish_use_subcommand -f\n";
  for (const VerbDescription &verb : verbs)
    text += "complete -c tilescope -n __fish_use_subcommand -a " + verb.name + " -d " +
            fishQuoted(verb.help) + "\n";
  for (const VerbDescription &verb : verbs) {
    std::string begin = "complete -c tilescope -n '__fish_seen_subcommand_from " + verb.name + "'";
    for (const OptionDescription &option : verb.options)
      text += begin + fishOption(option) + "\n";
    if (!verb.takesFiles)
      text += begin + " -f\n";
    if (!verb.firstWords.empty())
      text += "complete -c tilescope -n '__fish_seen_subcommand_from " + verb.name +
              "; and test (count (commandline -opc)) -eq 2' -f -a " +
              fishQuoted(wordsOf(verb.firstWords)) + "\n";
  }
  return text;
}

constexpr const char *CompletionsOverview =
    "Prints the script that makes a shell complete verbs, options and their values.\n\n"
    "  source <(tilescope completions bash)          # in ~/.bashrc\n"
    "  tilescope completions zsh > ~/.zfunc/_tilescope   # a folder of $fpath\n"
    "  tilescope completions fish > ~/.config/fish/completions/tilescope.fish\n";

} // namespace

int runCompletions(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope completions");
  llvm::cl::opt<std::string> shell(llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("bash|zsh|fish"), llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, CompletionsOverview))
    return *exitCode;
  if (shell == "bash")
    return report(writeFile("-", bashScript(describeVerbs())));
  if (shell == "zsh")
    return report(writeFile("-", zshScript(describeVerbs())));
  if (shell == "fish")
    return report(writeFile("-", fishScript(describeVerbs())));
  return report(llvm::createStringError("no completions for shell '" + shell +
                                        "'; there are: bash zsh fish"));
}

} // namespace tilescope
