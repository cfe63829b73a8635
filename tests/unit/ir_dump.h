// A module as nested words, made without the printer: two modules are the same if their dumps are.
#pragma once

#include "core/ir/module.h"

#include <string>

namespace tilescope {

// With identity: ids, anchors, origins, spans and names of variables. Without: numbered by first
// occurrence, and a sequence of one statement is that statement.
std::string dumpModule(const Module &module, bool identity);

} // namespace tilescope
