#include "viewer/shell/navigation.h"

#include "core/views/passes_model.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tilescope {

namespace {

void goToPass(const CommandSet &commands, const Trace &trace, Selection &selection) {
  size_t last = trace.passes.size() - 1;
  std::optional<size_t> target;
  if (commands.has(Command::NextPass))
    target = selection.pass + 1;
  if (commands.has(Command::PreviousPass))
    target = selection.pass == 0 ? 0 : selection.pass - 1;
  if (commands.has(Command::NextChangedPass))
    target = nextChangedPass(trace, selection.pass);
  if (commands.has(Command::PreviousChangedPass))
    target = previousChangedPass(trace, selection.pass);
  if (commands.has(Command::FirstPass))
    target = 0;
  if (commands.has(Command::LastPass))
    target = last;
  if (target)
    selection.selectPass(std::min(*target, last));
}

// Shared buffers first in the order of the arena, then the others.
std::vector<BufferKey> buffersInOrder(const TraceSnapshot &snapshot) {
  std::vector<BufferKey> keys;
  for (bool shared : {true, false})
    for (const BufferRecord &buffer : *snapshot.buffers)
      if (isShared(buffer.scope) == shared)
        keys.push_back(buffer.key);
  return keys;
}

void goToBuffer(int step, const Trace &trace, Selection &selection) {
  std::vector<BufferKey> keys =
      buffersInOrder(trace.snapshots[trace.passes[selection.pass].snapshot]);
  if (keys.empty())
    return;
  auto count = static_cast<int64_t>(keys.size());
  int64_t at = step > 0 ? -1 : 0;
  if (const std::optional<BufferKey> &pinned = selection.pinned.buffer) {
    // Whatever the function: it changes when host and device are split.
    auto isPinned = [&](const BufferKey &key) {
      return nameInFunction(key) == nameInFunction(*pinned);
    };
    if (auto found = llvm::find_if(keys, isPinned); found != keys.end())
      at = found - keys.begin();
  }
  selection.pin(Pick::ofBuffer(keys[static_cast<size_t>((at + step + count) % count)]));
}

} // namespace

void navigate(const CommandSet &commands, const Document &document, Selection &selection) {
  if (!document.trace)
    return;
  goToPass(commands, *document.trace, selection);
  if (commands.has(Command::NextBuffer))
    goToBuffer(1, *document.trace, selection);
  if (commands.has(Command::PreviousBuffer))
    goToBuffer(-1, *document.trace, selection);
  if (commands.has(Command::Back))
    selection.back();
  if (commands.has(Command::Forward))
    selection.forward();
  selection.pass = std::min(selection.pass, document.trace->passes.size() - 1);
  if (commands.has(Command::ClearSelection))
    selection.clear();
}

bool canDo(Command command, const Document &document, const Selection &selection,
           const RequestHistory &history) {
  bool isOpen = document.trace != nullptr;
  switch (command) {
  case Command::CloseOther:
    return document.other != nullptr;
  case Command::SwapOther:
    return document.other != nullptr && !document.isLive;
  case Command::Back:
    return selection.canGoBack();
  case Command::Forward:
    return selection.canGoForward();
  case Command::NextHit:
  case Command::PreviousHit:
    return isOpen && !selection.query.empty();
  case Command::NextVersionUse:
    return isOpen && selection.pinned.version >= 0;
  case Command::ClearSelection:
    return !selection.pinned.isEmpty();
  case Command::Break:
  case Command::EditIr:
    return document.isLive;
  case Command::UndoArguments:
    return document.isLive && history.canUndo();
  case Command::RedoArguments:
    return document.isLive && history.canRedo();
  case Command::ResetArguments:
    return document.isLive && history.canReset();
  case Command::DropEdits:
  case Command::SaveEdits:
    return !document.edits.places.empty();
  case Command::Open:
  case Command::Quit:
  case Command::ToggleTheme:
  case Command::LargerText:
  case Command::SmallerText:
  case Command::Palette:
  case Command::Help:
  case Command::ExportWindow:
  case Command::ResetLayout:
    return true;
  default:
    return isOpen;
  }
}

void Bookmarks::toggle(const Selection &selection) {
  Place place{selection.pass, selection.pinned};
  if (auto found = llvm::find(places_, place); found != places_.end())
    places_.erase(found);
  else
    places_.insert(std::upper_bound(places_.begin(), places_.end(), place,
                                    [](const Place &a, const Place &b) { return a.pass < b.pass; }),
                   place);
}

void Bookmarks::goToNext(Selection &selection, const Document &document) const {
  if (places_.empty() || !document.trace)
    return;
  auto here = llvm::find(places_, Place{selection.pass, selection.pinned});
  auto next = here != places_.end()
                  ? std::next(here)
                  : llvm::find_if(places_, [&](const Place &p) { return p.pass > selection.pass; });
  const Place &place = next == places_.end() ? places_.front() : *next;
  // A later compile may have fewer passes.
  selection.selectPass(std::min(place.pass, document.trace->passes.size() - 1));
  selection.pin(place.pinned);
}

bool Bookmarks::hasOne(size_t pass) const {
  return llvm::any_of(places_, [&](const Place &place) { return place.pass == pass; });
}

} // namespace tilescope
