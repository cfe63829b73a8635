// Counts on a thread of its own how often a query is found after each pass of a trace file of which
// the window has loaded a part. The thread opens the file for itself, reads text and no facets, and
// only while somebody searches.
#pragma once

#include "core/session/newest_request.h"
#include "core/trace_file/trace_file.h"
#include "core/views/hit_counts.h"

namespace tilescope {

class PassSearch {
public:
  struct Request {
    std::string path;
    std::string query;     // "": nothing is searched for
    uint64_t revision = 0; // of the document

    friend bool operator==(const Request &, const Request &) = default;
  };

  // `wake` is called on the other thread when there is something to take.
  explicit PassSearch(std::function<void()> wake);

  // What counts from now on; of earlier requests nothing more comes. The same again changes
  // nothing.
  void search(const Request &request);
  // What was counted so far, if that has changed since the last call; else null.
  std::shared_ptr<const CountedHits> take();
  bool isBusy() const { return worker_.isBusy(); }

private:
  using Counted = std::shared_ptr<const CountedHits>; // null: there is nothing to count
  using Worker = NewestRequest<Request, Counted>;

  Counted count(const Request &request, const Worker::Task &task);
  bool openFile(const Request &request, CountedHits &counted);

  Request request_;                 // the last one
  std::unique_ptr<TraceFile> file_; // of the thread
  Worker worker_;                   // last: its thread uses the file
};

} // namespace tilescope
