// Counts on a thread of its own how often a query is found after each pass of a trace file of which
// the window has loaded a part. The thread opens the file for itself, reads text and no facets, and
// only while somebody searches.
#pragma once

#include "core/trace_file/trace_file.h"
#include "core/views/hit_counts.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

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
  PassSearch(const PassSearch &) = delete;
  PassSearch &operator=(const PassSearch &) = delete;
  ~PassSearch();

  // What counts from now on; of earlier requests nothing more comes. The same again changes
  // nothing.
  void search(const Request &request);
  // What was counted so far, if that has changed since the last call; else null.
  std::shared_ptr<const CountedHits> take();
  bool isBusy() const;

private:
  void run();
  void count(const Request &request, uint64_t number);
  bool openFile(const Request &request, CountedHits &counted);
  void publish(const CountedHits &counted, uint64_t number);

  std::function<void()> wake_;
  std::unique_ptr<TraceFile> file_; // of the thread
  std::atomic<uint64_t> wanted_{0}; // the number of the last request
  mutable std::mutex mutex_;
  std::condition_variable hasWork_;
  Request request_;    // the last one
  uint64_t taken_ = 0; // the number of the request that the thread is at, or has finished
  bool isRunning_ = false;
  bool isClosing_ = false;
  std::shared_ptr<const CountedHits> counted_;
  std::thread thread_; // last: it uses all of the above
};

} // namespace tilescope
