// The commands of the viewer, and which of them were given in this frame.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <bitset>
#include <cstdint>
#include <iterator>
#include <string>

namespace tilescope {

enum class Command : uint8_t {
#define COMMAND(Id, group, title, keys) Id,
#include "viewer/panels/commands.def"
};
inline constexpr Command EachCommand[] = {
#define COMMAND(Id, group, title, keys) Command::Id,
#include "viewer/panels/commands.def"
};
inline constexpr size_t CommandCount = std::size(EachCommand);

struct CommandInfo {
  Command id;
  llvm::StringRef name;  // "NextPass": for scripts
  llvm::StringRef group; // menu
  llvm::StringRef title;
  llvm::StringRef keys; // separated by blanks
};

llvm::ArrayRef<CommandInfo> allCommands();

// Given in one frame, by key, menu or palette. Keys go to panels through this alone, so that every
// key is in commands.def.
class CommandSet {
public:
  bool has(Command command) const { return given_[static_cast<size_t>(command)]; }
  void give(Command command) { given_.set(static_cast<size_t>(command)); }
  // Gives every command with one of these keys, each as commands.def writes it. While text is typed
  // into a field, those without Ctrl or Alt belong to the field, but for Esc.
  void giveByKeys(llvm::ArrayRef<std::string> keys, bool isTyping);
  CommandSet &operator|=(const CommandSet &other) {
    given_ |= other.given_;
    return *this;
  }
  bool isEmpty() const { return given_.none(); }

private:
  std::bitset<CommandCount> given_;
};

} // namespace tilescope
