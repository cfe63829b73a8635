// What a shell offers where a name of the user's own is wanted: kernels of a file, arguments,
// passes and buffers of the kernel or the trace that the line names.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace tilescope {

enum class NameKind : uint8_t { Kernels, Arguments, Passes, Buffers };

// "kernels", ...; nullopt: no kind is called so.
std::optional<NameKind> nameKindOf(llvm::StringRef word);
std::string nameKindWords();

// Sorted but for passes, which are in the order in which they run; arguments end with "=". The line
// is as far as it was typed: words as a shell takes them, "tilescope VERB ...". The kernel is
// compiled with what the line has of --set and --target. Without a file, or where it cannot be
// read, nothing, but for passes: those of the default pipeline.
std::vector<std::string> completedNames(NameKind kind, llvm::StringRef line);

} // namespace tilescope
