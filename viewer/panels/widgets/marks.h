// Small shapes in text, of one digit's width: they need no font.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace tilescope {

enum class Mark : uint8_t { Filled, Hollow, Cross, Diamond, Check, Pause };
// Where the cursor stands; advances it as an item.
void drawMark(Mark mark, ImU32 color);

} // namespace tilescope
