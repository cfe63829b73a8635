// What a picture of buffers emphasises, and what the pointer of one picks.
#pragma once

#include "core/views/buffer_history.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/picture.h"

namespace tilescope {

// How much of the attention one buffer of a picture has.
enum class Emphasis : uint8_t { None, Pinned, Hovered, Shares, Dimmed };

// Buffers and statements of the selection, by id; looked up again only when they change. What is
// hovered is shown instead of what is pinned, which stays marked.
class ShownPick {
public:
  void update(const PanelContext &context);

  BufferId buffer() const { return shown_.buffer; } // invalid: none
  int64_t version() const { return shown_.version; }
  StmtId stmt() const { return shown_.stmt; }

  // Apart from what it shares with others.
  Emphasis emphasisOf(BufferId buffer) const;
  BufferId pinnedBuffer() const { return pinned_.buffer; }
  int64_t pinnedVersion() const { return pinned_.version; }
  StmtId pinnedStmt() const { return pinned_.stmt; }
  // Of one version: Pinned, Hovered or None.
  Emphasis emphasisOf(BufferId buffer, int64_t version) const;

private:
  struct Key {
    PassKey pass;
    std::optional<BufferKey> buffer;

    friend bool operator==(const Key &, const Key &) = default;
  };
  struct Found {
    std::optional<Key> key;
    BufferId buffer;
    int64_t version = -1;
    StmtId stmt;

    void update(const PanelContext &context, const Pick &pick);
  };
  Found shown_, pinned_;
};

// Outlines a box: what is pinned in the accent, what is hovered in the colour of text, what shares
// its bytes dashed. Around a box that is too small to hold its outline.
void drawEmphasis(const Picture &picture, const Box &box, Emphasis emphasis);

// Points at a box of the plot that is too small to be seen, or to where it lies outside.
void drawPointer(const Picture &picture, const Box &plot, const Box &box, llvm::StringRef name,
                 Emphasis emphasis);

// A buffer of the selected pass; empty if its table does not list it.
Pick pickOf(const PanelContext &context, BufferId buffer, int64_t version = -1);

} // namespace tilescope
