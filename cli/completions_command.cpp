// completions: the script that makes a shell complete our command lines.
#include "cli/command.h"
#include "cli/completed_names.h"
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

// Lines of case statements, by verb.
struct BashParts {
  std::string names, values, options, firstWords, behindFile, fileless;
};

// Lines by verb and option: what stands behind the option.
std::string bashValues(const VerbDescription &verb) {
  std::string values, files;
  for (const OptionDescription &option : verb.options) {
    std::string label = verb.name + option.dashed();
    if (!option.names.empty())
      values += "    " + label + ") names=" + option.names + " ;;\n";
    else if (!option.choices.empty())
      values += "    " + label + ") words=" + shellQuoted(wordsOf(option.choices)) +
                (option.isList ? " list=1" : "") + " ;;\n";
    else if (!option.value.empty())
      files += (files.empty() ? "" : " | ") + label;
  }
  return files.empty() ? values : values + "    " + files + ") files=1 ;;\n";
}

BashParts bashPartsOf(const std::vector<VerbDescription> &verbs) {
  BashParts parts;
  for (const VerbDescription &verb : verbs) {
    parts.names += " " + verb.name;
    parts.values += bashValues(verb);
    std::string dashed, label = "    " + verb.name + ") ";
    for (const OptionDescription &option : verb.options)
      dashed += " " + option.dashed();
    parts.options += label + "words=" + shellQuoted(llvm::StringRef(dashed).trim()) + " ;;\n";
    if (!verb.takesFiles)
      parts.fileless += (parts.fileless.empty() ? "" : " | ") + verb.name;
    if (!verb.firstWords.empty())
      parts.firstWords += label + "words=" + shellQuoted(wordsOf(verb.firstWords)) + " ;;\n";
    if (!verb.names.empty())
      parts.behindFile += label + "names=" + verb.names + " ;;\n";
  }
  return parts;
}

std::string bashScript(const std::vector<VerbDescription> &verbs) {
  BashParts parts = bashPartsOf(verbs);
  // "--format=svg" is three words to bash, unless "=" breaks none.
  return "# bash completion of tilescope: source <(tilescope completions bash)\n"
         "_tilescope() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
         "  local verb=\"${COMP_WORDS[1]}\" words='' files='' list='' head='' names=''\n"
         "  [ \"$current\" = : ] && current='' before=:\n"
         "  [ \"$before\" = : ] && names=kernels\n"
         "  [ \"$current\" = = ] && current=''\n"
         "  [ \"$before\" = = ] && before=\"${COMP_WORDS[COMP_CWORD - 2]}\"\n"
         "  [ \"$COMP_CWORD\" = 1 ] && { mapfile -t COMPREPLY < <(compgen -W '" +
         llvm::StringRef(parts.names).trim().str() +
         "' -- \"$current\"); return; }\n"
         "  case \"$verb$before\" in\n" +
         parts.values +
         "  esac\n"
         "  [ \"$words$files$names\" = '' ] && case \"$current\" in\n"
         "  -*) case \"$verb\" in\n" +
         parts.options +
         "    esac ;;\n"
         "  *) if [ \"$COMP_CWORD\" = 2 ]; then case \"$verb\" in\n" +
         parts.firstWords + "    esac; else case \"$verb\" in\n" + parts.behindFile +
         "    esac; fi ;;\n"
         "  esac\n"
         "  if [ -n \"$names\" ]; then\n"
         "    words=\"$(\"${COMP_WORDS[0]}\" completions names $names \"$COMP_LINE\" 2> "
         "/dev/null)\"\n"
         "    [ -n \"$words\" ] && compopt +o filenames 2> /dev/null\n"
         "    [ $names = arguments ] && compopt -o nospace 2> /dev/null\n"
         "  fi\n"
         "  [ -n \"$list\" ] && [[ \"$current\" == *,* ]] && head=\"${current%,*},\"\n"
         "  if [ -n \"$words\" ]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- "
         "\"${current#\"$head\"}\")\n"
         "  elif [ -z \"$files\" ] && case \"$verb\" in " +
         parts.fileless +
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
  if (!option.names.empty())
    return text + " _tilescope_names " + option.names;
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
    if (!verb.names.empty())
      cases += " \\\n      '1:file:_tilescope_files' \\\n      '*:name: _tilescope_names " +
               verb.names + "' ;;\n";
    else
      cases += verb.takesFiles ? " \\\n      '*:file:_tilescope_files' ;;\n" : " ;;\n";
  }
  return "#compdef tilescope\n"
         "# zsh completion of tilescope: a file _tilescope in a folder of $fpath\n"
         "_tilescope_names() {\n"
         "  local -a end\n"
         "  [[ $1 == arguments ]] && end=(-S '')\n"
         "  compadd \"${end[@]}\" -- ${(f)\"$(tilescope completions names $1 \"tilescope "
         "$words[*]\" 2> "
         "/dev/null)\"}\n"
         "}\n"
         "_tilescope_files() {\n"
         "  [[ $PREFIX == *:* ]] || { _files; return; }\n"
         "  local file=${PREFIX%%:*}\n"
         "  compset -P '*:'\n"
         "  compadd -- ${(f)\"$(tilescope completions names kernels \"tilescope check $file\" 2> "
         "/dev/null)\"}\n"
         "}\n"
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
         // From a folder of $fpath it is run by the first Tab, which wants an answer.
         "if [[ $funcstack[1] == _tilescope ]]; then _tilescope \"$@\"\n"
         "elif (( $+functions[compdef] )); then compdef _tilescope tilescope; fi\n";
}

std::string fishOption(const OptionDescription &option) {
  std::string text =
      (option.isShort() ? " -s " : " -l ") + option.name + " -d " + fishQuoted(option.help);
  std::string words = wordsOf(option.choices);
  if (!option.names.empty())
    return text + " -x -a " + fishQuoted("(__tilescope_names " + option.names + ")");
  if (option.isList)
    return text + " -x -a " +
           fishQuoted("(__fish_complete_list , 'string split \" \" \"" + words + "\"')");
  if (!option.choices.empty())
    return text + " -x -a " + fishQuoted(words);
  return text + (option.value.empty() ? "" : " -r");
}

std::string fishScript(const std::vector<VerbDescription> &verbs) {
  std::string text =
      "# fish completion of tilescope: tilescope completions fish | source\n"
      "function __tilescope_names\n"
      "  tilescope completions names $argv[1] (commandline -cp | string collect) 2> /dev/null\n"
      "end\n"
      "function __tilescope_kernels\n"
      "  set -l file (string replace -r ':.*' '' -- (commandline -ct))\n"
      "  for name in (tilescope completions names kernels \"tilescope check $file\" 2> /dev/null)\n"
      "    echo $file:$name\n"
      "  end\n"
      "end\n"
      "complete -c tilescope -n 'string match -q \"*:*\" -- (commandline -ct)' -f -a "
      "'(__tilescope_kernels)'\n"
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
    if (!verb.names.empty())
      text += begin + " -a " + fishQuoted("(__tilescope_names " + verb.names + ")") + "\n";
    if (!verb.firstWords.empty())
      text += "complete -c tilescope -n '__fish_seen_subcommand_from " + verb.name +
              "; and test (count (commandline -opc)) -eq 2' -f -a " +
              fishQuoted(wordsOf(verb.firstWords)) + "\n";
  }
  return text;
}

constexpr const char *CompletionsOverview =
    "Prints the script that makes a shell complete verbs, options and their values, and the names "
    "of\n"
    "kernels, arguments, passes and buffers of the kernel or trace that the line names.\n\n"
    "  source <(tilescope completions bash)          # in ~/.bashrc\n"
    "  tilescope completions zsh > ~/.zfunc/_tilescope   # a folder of $fpath\n"
    "  tilescope completions fish > ~/.config/fish/completions/tilescope.fish\n"
    "  tilescope completions names passes 'tilescope show ir gemm.trace'\n";

int printNames(llvm::ArrayRef<std::string> words) {
  std::optional<NameKind> kind = words.empty() ? std::nullopt : nameKindOf(words.front());
  if (!kind || words.size() != 2)
    return report(llvm::createStringError("completions names wants one of " + nameKindWords() +
                                          ", and the line as one word"));
  for (const std::string &name : completedNames(*kind, words.back()))
    llvm::outs() << name << '\n';
  return Fine;
}

} // namespace

int runCompletions(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope completions");
  llvm::cl::opt<std::string> shell(llvm::cl::Positional, llvm::cl::Required,
                                   llvm::cl::desc("bash|zsh|fish"), llvm::cl::cat(category));
  llvm::cl::list<std::string> more(llvm::cl::Positional, llvm::cl::desc("[names KIND LINE]"),
                                   llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, CompletionsOverview))
    return *exitCode;
  if (shell == "names")
    return printNames(std::vector<std::string>(more.begin(), more.end()));
  if (!more.empty())
    return report(llvm::createStringError("completions wants one shell"));
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
