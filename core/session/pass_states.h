// The joined state of the pass that is shown: made when it is first asked for, kept until that of
// another is. Of a pass with the same facets it is made from what is joined already, and facets
// that the user may step to soon are joined on another thread.
#pragma once

#include "core/session/document.h"
#include "core/support/made_apart.h"
#include "core/trace/pass_state.h"

namespace tilescope {

class PassStates {
public:
  // `wake` is called, on any thread, when all can be had that was begun on others in a frame.
  explicit PassStates(std::function<void()> wake = [] {}) : wake_(std::move(wake)) {}

  // The document has a trace, which outlives what is given.
  std::shared_ptr<const PassState> of(const Document &document, size_t pass);

  using JoinedFacets = std::shared_future<std::shared_ptr<const FacetState>>;
  // Of one of Document::ahead, once for all who ask. Any thread may wait for it.
  JoinedFacets ahead(const Document &document, const TraceSnapshot &facets);
  // Whether `of` need not join these; else they are joined from now on.
  bool isJoined(const Document &document, const TraceSnapshot &facets);

  // For what is begun on another thread, to be called there at its end.
  std::function<void()> alarm();
  void endFrame() { alarm_.reset(); }

private:
  struct Ahead {
    TraceSnapshot facets;
    JoinedFacets joined;
    std::future<void> thread;
  };
  // The last to let go of it wakes.
  class Alarm {
  public:
    explicit Alarm(std::function<void()> wake) : wake_(std::move(wake)) {}
    Alarm(const Alarm &) = delete;
    Alarm &operator=(const Alarm &) = delete;
    ~Alarm() { wake_(); }

  private:
    std::function<void()> wake_;
  };
  bool isOf(const Document &document) const;
  const Ahead *find(const TraceSnapshot &snapshot) const;
  void keepOnly(const std::vector<TraceSnapshot> &wanted);

  std::function<void()> wake_;
  std::shared_ptr<Alarm> alarm_; // null: nothing was begun in this frame
  uint64_t revision_ = 0;
  std::shared_ptr<const PassState> last_;
  std::vector<Ahead> ahead_;
};

} // namespace tilescope
