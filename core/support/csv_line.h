// Lines of CSV as in RFC 4180: fields apart by commas; one with a comma, a quote or a line break is
// in quotes, with its quotes doubled.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tilescope {

// Quoted where it must be.
std::string csvField(llvm::StringRef text);

// The fields of a line. Blanks around a field are dropped, those in quotes stay. A quoted field
// ends on its line. The error says which field is torn.
llvm::Expected<std::vector<std::string>> splitCsvLine(llvm::StringRef line);

} // namespace tilescope
