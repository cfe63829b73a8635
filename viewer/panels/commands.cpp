#include "viewer/panels/commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilescope {

namespace {

const CommandInfo Commands[] = {
#define COMMAND(Id, group, title, keys) {Command::Id, #Id, #group, title, keys},
#include "viewer/panels/commands.def"
};

bool belongsToField(llvm::StringRef key) {
  return !key.starts_with("Ctrl+") && !key.starts_with("Alt+") && key != "Esc";
}

} // namespace

llvm::ArrayRef<CommandInfo> allCommands() { return Commands; }

void CommandSet::giveByKeys(llvm::ArrayRef<std::string> keys, bool isTyping) {
  for (const CommandInfo &command : Commands) {
    llvm::SmallVector<llvm::StringRef> ofCommand;
    command.keys.split(ofCommand, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef key : ofCommand)
      if (llvm::is_contained(keys, key) && !(isTyping && belongsToField(key)))
        give(command.id);
  }
}

} // namespace tilescope
