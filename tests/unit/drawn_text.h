// The characters of a frame as they are drawn, whoever drew them.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tilescope {

struct DrawnCharacter {
  ImVec4 box;  // pixels, [x, z) x [y, w)
  ImVec4 clip; // what lies outside is not seen
};

// The rectangle of six indices, as ImDrawList writes rectangles.
struct DrawnRectangle {
  ImVec4 box;
  bool isCharacter = false; // else filled
  bool isOpaque = false;
};

inline std::optional<DrawnRectangle> rectangleAt(const ImDrawVert *vertices, const ImDrawIdx *at) {
  if (at[1] != at[0] + 1 || at[2] != at[0] + 2 || at[3] != at[0] || at[4] != at[2] ||
      at[5] != at[0] + 3)
    return std::nullopt;
  const ImDrawVert *corner = vertices + at[0];
  ImVec2 first = corner[0].pos, last = corner[2].pos;
  for (int i : {1, 3})
    if ((corner[i].pos.x != first.x && corner[i].pos.x != last.x) ||
        (corner[i].pos.y != first.y && corner[i].pos.y != last.y))
      return std::nullopt;
  DrawnRectangle drawn;
  drawn.box = ImVec4(std::min(first.x, last.x), std::min(first.y, last.y),
                     std::max(first.x, last.x), std::max(first.y, last.y));
  drawn.isCharacter = corner[0].uv.x != corner[2].uv.x && corner[0].uv.y != corner[2].uv.y;
  drawn.isOpaque = (corner[0].col >> IM_COL32_A_SHIFT) >= 0xC0;
  return drawn;
}

inline bool covers(const ImVec4 &box, const ImVec4 &other) {
  float x = (other.x + other.z) / 2, y = (other.y + other.w) / 2;
  return box.x <= x && x < box.z && box.y <= y && y < box.w;
}

// Those that nothing was filled over. Lines must not be drawn with a texture.
inline std::vector<DrawnCharacter> charactersOf(const ImDrawData &data) {
  std::vector<DrawnCharacter> characters;
  for (const ImDrawList *list : llvm::ArrayRef(data.CmdLists, data.CmdListsCount))
    for (const ImDrawCmd &command : list->CmdBuffer) {
      const ImDrawVert *vertices = list->VtxBuffer.Data + command.VtxOffset;
      for (unsigned i = 0; i + 5 < command.ElemCount; i += 3) {
        std::optional<DrawnRectangle> drawn =
            rectangleAt(vertices, list->IdxBuffer.Data + command.IdxOffset + i);
        if (!drawn)
          continue;
        i += 3;
        if (drawn->isCharacter)
          characters.push_back({drawn->box, command.ClipRect});
        else if (drawn->isOpaque)
          std::erase_if(characters, [&](const DrawnCharacter &character) {
            return covers(drawn->box, character.box) && covers(command.ClipRect, character.box);
          });
      }
    }
  return characters;
}

inline bool isSeen(const DrawnCharacter &character) {
  const ImVec4 &box = character.box, &clip = character.clip;
  return box.z > clip.x && box.x < clip.z && box.w > clip.y && box.y < clip.w;
}

// Part of it is seen, and what is missing is at its left or right.
inline bool isCutAcross(const DrawnCharacter &character) {
  const ImVec4 &box = character.box, &clip = character.clip;
  return isSeen(character) && (box.x < clip.x - 1 || box.z > clip.z + 1);
}

// By more than a pixel, both ways, of what is seen of them.
inline bool overlap(const DrawnCharacter &a, const DrawnCharacter &b) {
  float left = std::max({a.box.x, b.box.x, a.clip.x, b.clip.x});
  float right = std::min({a.box.z, b.box.z, a.clip.z, b.clip.z});
  float top = std::max({a.box.y, b.box.y, a.clip.y, b.clip.y});
  float bottom = std::min({a.box.w, b.box.w, a.clip.w, b.clip.w});
  return right - left > 1.5F && bottom - top > 1.5F;
}

} // namespace tilescope
