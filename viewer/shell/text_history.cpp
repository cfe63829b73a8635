#include "viewer/shell/text_history.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

constexpr size_t MostStates = 500;

// What was selected, by one character before the cursor: what is typed on is of the same word.
bool isReplaced(llvm::StringRef text, size_t cursor, llvm::StringRef before) {
  return cursor > 0 && cursor <= text.size() && text.size() <= before.size() &&
         text.take_front(cursor - 1) == before.take_front(cursor - 1) &&
         text[cursor - 1] != before[cursor - 1] && before.ends_with(text.drop_front(cursor));
}

} // namespace

void TextHistory::start(std::string text) {
  states_.clear();
  states_.push_back({std::move(text), 0});
  now_ = 0;
  last_ = Change::Other;
}

// One character at the cursor; all else is a step of its own.
TextHistory::Change TextHistory::changeTo(const std::string &text, size_t cursor) const {
  const State &now = states_[now_];
  if (text == now.text)
    return Change::None;
  bool isHere = cursor == now.cursor + 1 || last_ == Change::Other;
  if (text.size() == now.text.size() + 1 && cursor > 0 && isHere)
    return Change::Typed;
  bool isBefore = cursor + 1 == now.cursor || last_ == Change::Other;
  if (text.size() + 1 == now.text.size() && isBefore)
    return Change::Deleted;
  return isReplaced(text, cursor, now.text) ? Change::Replaced : Change::Other;
}

void TextHistory::note(const std::string &text, size_t cursor) {
  if (states_.empty())
    return start(text);
  Change change = changeTo(text, cursor);
  if (change == Change::None)
    return;
  bool isBlank = change == Change::Typed && llvm::isSpace(text[cursor - 1]);
  bool isMore = change == last_ && change != Change::Other && change != Change::Replaced;
  bool goesOn = change == Change::Typed && last_ == Change::Replaced;
  bool continues = (isMore || goesOn) && (!endsWord_ || isBlank);
  states_.resize(now_ + 1);
  if (!continues) {
    states_.emplace_back();
    if (states_.size() > MostStates)
      states_.erase(states_.begin());
    now_ = states_.size() - 1;
  }
  states_[now_] = {text, cursor};
  last_ = change;
  endsWord_ = isBlank;
}

const TextHistory::State *TextHistory::undo() {
  if (now_ == 0)
    return nullptr;
  last_ = Change::Other;
  return &states_[--now_];
}

const TextHistory::State *TextHistory::redo() {
  if (now_ + 1 >= states_.size())
    return nullptr;
  last_ = Change::Other;
  return &states_[++now_];
}

} // namespace tilescope
