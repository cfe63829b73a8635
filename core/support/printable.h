// Text of strangers, made fit for a terminal or a comment.
#pragma once

#include <string>
#include <string_view>

namespace tilescope {

// `text` (UTF-8) with control characters and marks of writing direction spelled out, "\\x1b";
// characters in `kept` stay as they are, and so does "\r\n" where "\n" is kept.
std::string withoutControls(std::string_view text, std::string_view kept);

} // namespace tilescope
