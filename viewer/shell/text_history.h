// What a text was before, for undo: a word that is typed, or that is deleted, is one step.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tilescope {

class TextHistory {
public:
  struct State {
    std::string text;
    size_t cursor = 0; // byte
  };

  // Begins anew with this text.
  void start(std::string text);
  // The text as it is now; nothing if it did not change.
  void note(const std::string &text, size_t cursor);
  // The state before or after, which is then the one that is; nullptr: there is none.
  const State *undo();
  const State *redo();

private:
  enum class Change : unsigned char { None, Typed, Replaced, Deleted, Other };
  Change changeTo(const std::string &text, size_t cursor) const;

  std::vector<State> states_;
  size_t now_ = 0;              // index of the state that is
  Change last_ = Change::Other; // that made it
  bool endsWord_ = false;       // with a blank, so that the next character begins a step
};

} // namespace tilescope
