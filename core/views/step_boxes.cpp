#include "core/views/step_boxes.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

namespace tilescope {

namespace {

class BoxWalk {
public:
  explicit BoxWalk(const BlockSteps &block) : block_(block) {}

  std::vector<StepBox> run() {
    for (size_t step = 0; step != block_.steps.size(); ++step)
      for (int64_t touch : block_.touchesOf(step))
        take(step, static_cast<size_t>(touch));
    for (Open *open : {&there_, &inFlight_})
      while (!open->empty())
        close(*open, open->begin(), block_.steps.size());
    llvm::sort(closed_, [](const StepBox &a, const StepBox &b) {
      return std::tie(a.from, a.begin) < std::tie(b.from, b.begin);
    });
    return std::move(closed_);
  }

private:
  using Open = std::map<int64_t, StepBox>; // by begin; none meets another

  void take(size_t step, size_t touch) {
    const StepTouch &touched = block_.touches[touch];
    for (size_t at = 0; at != touched.bytes.size(); at += 2) {
      int64_t begin = touched.bytes[at], end = touched.bytes[at + 1];
      if (touched.kind == StepTouch::Kind::Arrival)
        arrive(begin, end, step);
      else if (touched.kind != StepTouch::Kind::Read)
        write({begin, end, step, 0, step, touch, touched.kind == StepTouch::Kind::Copy});
    }
  }

  void write(const StepBox &box) {
    for (Open *open : {&there_, &inFlight_})
      cut(*open, box.begin, box.end, box.from);
    (box.isInFlight ? inFlight_ : there_)[box.begin] = box;
  }

  void arrive(int64_t begin, int64_t end, size_t step) {
    for (StepBox box : cut(inFlight_, begin, end, step)) {
      box.from = step;
      box.isInFlight = false;
      there_[box.begin] = box;
    }
  }

  // What lasts for no step is no box: its step has written the bytes again, or waited for them.
  Open::iterator close(Open &open, Open::iterator at, size_t until) {
    at->second.until = until;
    if (at->second.from != until)
      closed_.push_back(at->second);
    return open.erase(at);
  }

  // What is open in these bytes ends, and is given; what lies beside goes on as a box of its own.
  std::vector<StepBox> cut(Open &open, int64_t begin, int64_t end, size_t step) {
    std::vector<StepBox> found, beside;
    auto at = open.upper_bound(begin);
    if (at != open.begin() && std::prev(at)->second.end > begin)
      --at;
    while (at != open.end() && at->first < end) {
      StepBox inside = at->second, left = inside, right = inside;
      left.end = inside.begin = std::max(inside.begin, begin);
      right.begin = inside.end = std::min(inside.end, end);
      for (StepBox *rest : {&left, &right}) {
        rest->from = step;
        if (rest->begin < rest->end)
          beside.push_back(*rest);
      }
      found.push_back(inside);
      at = close(open, at, step);
    }
    for (const StepBox &box : beside)
      open[box.begin] = box;
    return found;
  }

  const BlockSteps &block_;
  Open there_, inFlight_; // apart, so that an arrival costs what it ends
  std::vector<StepBox> closed_;
};

} // namespace

std::vector<StepBox> stepBoxesOf(const BlockSteps &block) { return BoxWalk(block).run(); }

} // namespace tilescope
