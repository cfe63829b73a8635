#include "viewer/panels/widgets/buffer_pick.h"

#include "core/trace/trace_queries.h"

namespace tilescope {

void ShownPick::update(const PanelContext &context) {
  const Pick &shown = context.selection.shown();
  version_ = shown.version;
  stmt_ = shown.stmt;
  Key key{PassKey::of(context), shown.buffer};
  if (key_ == key)
    return;
  key_ = std::move(key);
  buffer_ = {};
  if (!shown.buffer)
    return;
  if (auto place = findBuffer(*context.document.trace, context.selection, *shown.buffer))
    buffer_ = place->id;
}

Pick pickOf(const PanelContext &context, BufferId buffer, int64_t version) {
  const BufferRecord *record =
      recordOf(selectedSnapshot(*context.document.trace, context.selection), buffer);
  if (!record)
    return {};
  Pick pick = Pick::ofBuffer(record->key);
  pick.version = version;
  return pick;
}

} // namespace tilescope
