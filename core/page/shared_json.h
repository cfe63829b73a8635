// JSON in which what stands at several places is written once.
//
//   {"parts": [[0, 64]], "root": {"a": {"$": 0}, "b": {"$": 0}}}      a and b are [0, 64]
//
// A part may name parts before it. No key of ours begins with "$".
#pragma once

#include "core/json/archive.h"

#include <string>

namespace tilescope {

// Of an object or an array. The same value gives the same text.
std::string sharedJson(const Json &value);

} // namespace tilescope
