// The commands of the viewer, and which of them were given in this frame.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <bitset>
#include <cstdint>

namespace tilescope {

enum class Command : uint8_t {
#define COMMAND(Id, group, title, keys) Id,
#include "viewer/panels/commands.def"
};

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
  // Gives every command whose key was pressed; none while text is typed into a field, but those
  // with Ctrl or Alt, and Esc.
  void giveByKeys();
  bool isEmpty() const { return given_.none(); }

private:
  std::bitset<64> given_;
};

} // namespace tilescope
