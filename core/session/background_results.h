// Something that is made on a thread and kept by what it is made of. Of what is asked for while the
// thread is busy only the latest counts.
#pragma once

#include "core/session/newest_request.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tilescope {

template <typename Source, typename Result> class BackgroundResults {
public:
  // `make` is called on the thread, and what it returns is dropped if `stop` became true meanwhile.
  // `wake` is called there when a result can be had.
  using Make = std::function<Result(const Source &, const std::atomic<bool> &stop)>;
  BackgroundResults(Make make, std::function<void()> wake)
      : worker_(
            [make = std::move(make)](const Source &source, const Worker::Task &task) {
              return Kept{source, std::make_shared<const Result>(make(source, task.stop))};
            },
            std::move(wake)) {}

  // Null: it is being made, from now on.
  std::shared_ptr<const Result> of(const Source &source) {
    if (std::optional<Kept> made = worker_.take()) {
      if (kept_.size() == MostKept)
        kept_.erase(kept_.begin());
      kept_.push_back(std::move(*made));
      asked_.reset();
    }
    auto found = llvm::find_if(kept_, [&](const Kept &kept) { return kept.source == source; });
    if (found != kept_.end()) {
      std::rotate(found, found + 1, kept_.end());
      return kept_.back().result;
    }
    if (!(asked_ && *asked_ == source)) {
      asked_ = source;
      worker_.ask(source);
    }
    return nullptr;
  }

  bool isBusy() const { return worker_.isBusy(); }

private:
  static constexpr size_t MostKept = 16;

  struct Kept {
    Source source;
    std::shared_ptr<const Result> result;
  };
  using Worker = NewestRequest<Source, Kept>;

  std::vector<Kept> kept_;      // the last used last
  std::optional<Source> asked_; // nullopt: nothing is being made
  Worker worker_;
};

} // namespace tilescope
