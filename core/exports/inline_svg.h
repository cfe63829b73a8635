// An SVG document of ours as a part of a page, beside others.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilescope {

// `document` is of svg_writer.h. Its rules apply to it alone and its ids are its own: both are
// prefixed by `scope`, a name that nothing else of the page has.
//
//     <svg ...><style>.band { fill: red }    becomes    <svg class="p0" ...><style>.p0 .band { ...
//     id="padding" ... url(#padding)         becomes    id="p0-padding" ... url(#p0-padding)
std::string inlineSvg(llvm::StringRef document, llvm::StringRef scope);

} // namespace tilescope
