// What a picture of buffers emphasises, and what the pointer of one picks.
#pragma once

#include "viewer/model/buffer_history.h"
#include "viewer/panels/panel.h"

namespace tilescope {

// The buffer and the statement of the selection, by id; looked up again only when they change.
class ShownPick {
public:
  void update(const PanelContext &context);

  BufferId buffer() const { return buffer_; } // invalid: none
  int64_t version() const { return version_; }
  StmtId stmt() const { return stmt_; }

private:
  struct Key {
    PassKey pass;
    std::optional<BufferKey> buffer;

    friend bool operator==(const Key &, const Key &) = default;
  };
  std::optional<Key> key_;
  BufferId buffer_;
  int64_t version_ = -1;
  StmtId stmt_;
};

// A buffer of the selected pass; empty if its table does not list it.
Pick pickOf(const PanelContext &context, BufferId buffer, int64_t version = -1);

} // namespace tilescope
