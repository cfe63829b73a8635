// schema: what `--format json` prints, as a JSON schema.
#include "cli/bisect_report.h"
#include "cli/command.h"
#include "cli/exec_report.h"
#include "cli/found_instance.h"
#include "cli/instance_checks.h"
#include "cli/language_report.h"
#include "cli/lock_report.h"
#include "cli/plan_report.h"
#include "cli/run_report.h"

#include "core/diff/diff_fields.h"
#include "core/find/finder.h"
#include "core/json/json_schema.h"
#include "core/support/nearest_name.h"
#include "core/sweep/sweep_report.h"
#include "core/views/instances_model.h"
#include "core/views/models.h"
#include "core/views/why_buffer_model.h"
#include "core/views/why_launch_model.h"
#include "core/views/why_pair_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

template <typename View> Json schemaOfView() { return schemaOf<View>(); }
template <> Json schemaOfView<ArenaView>() { return arenaSchema(); }
template <> Json schemaOfView<ComparedText>() { return schemaOf<PrintedComparison>(); }
template <> Json schemaOfView<ChangesView>() { return schemaOf<PrintedChanges>(); }

struct Printed {
  llvm::StringRef words;
  Json (*schema)();
};

const Printed AllPrinted[] = {
#define MODEL(name, Type, help) {"show " name, schemaOfView<Type##View>},
#define MODEL_OF_PASS(name, Type, help) MODEL(name, Type, help)
#define MODEL_OF_BUFFER(name, Type, help) MODEL(name, Type, help)
#define MODEL_OF_QUERY(name, Type, help) MODEL(name, Type, help)
#define MODEL_OF_TWO(name, Type, help) MODEL(name, Type, help)
#define MODEL_OF_LISTING(name, Type, help) MODEL(name, Type, help)
#define MODEL_OF_HISTORY(name, Type, help) MODEL(name, Type, help)
#include "core/views/models.def"
#define PRINTED(words, schema) {words, [] { return schema; }},
#include "cli/printed.def"
};

std::string schemaOverview() {
  std::string text =
      "Prints the JSON schema (draft 2020-12) of what a command prints with --format "
      "json, made from\nthe structs that are printed. Without words: the commands that "
      "have one.\n\nKeys once printed keep their name and meaning; new ones may "
      "come. A command\nthat prints more than one thing has a form for each: 'why' is 'why "
      "buffer', 'why pair', "
      "'why peak'\nand 'why sized-at-launch'; 'check --lock' is 'check lock'.\n\n";
  return text + "  tilescope schema\n  tilescope schema show arena\n  tilescope schema check\n";
}

// Of "why" there are several.
llvm::Error noSchemaOf(const std::string &wanted) {
  std::vector<std::string> known, forms;
  for (const Printed &printed : AllPrinted) {
    known.push_back(printed.words.str());
    if (printed.words.starts_with(wanted + " "))
      forms.push_back("'" + printed.words.str() + "'");
  }
  if (!forms.empty())
    return llvm::createStringError("'" + wanted + "' prints one of several things; there are " +
                                   llvm::join(forms, ", "));
  return llvm::createStringError("no schema of '" + wanted + "'" + didYouMean(wanted, known) +
                                 "; 'tilescope schema' lists those that there are");
}

} // namespace

int runSchema(const CommandLine &commandLine) {
  llvm::cl::OptionCategory category("tilescope schema");
  llvm::cl::list<std::string> words(llvm::cl::Positional, llvm::cl::desc("[COMMAND...]"),
                                    llvm::cl::cat(category));
  if (std::optional<int> exitCode = parseCommandLine(commandLine, category, schemaOverview()))
    return *exitCode;
  std::string wanted = llvm::join(words, " ");
  if (wanted.empty()) {
    for (const Printed &printed : AllPrinted)
      llvm::outs() << printed.words << '\n';
    return Fine;
  }
  const Printed *found =
      llvm::find_if(AllPrinted, [&](const Printed &p) { return p.words == wanted; });
  if (found == std::end(AllPrinted))
    return report(noSchemaOf(wanted));
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "tilescope " + wanted}};
  schema.update(found->schema());
  return report(writeFile("-", dumpJson(schema)));
}

} // namespace tilescope
