// Says when files change on disk. Costs nothing while they do not.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace tilescope {

class FileWatch {
public:
  // `wake` is called on another thread when a watched file was written, replaced or removed, and
  // was then left alone for a moment: what is half written is nothing to look at.
  explicit FileWatch(std::function<void()> wake);
  FileWatch(const FileWatch &) = delete;
  FileWatch &operator=(const FileWatch &) = delete;
  ~FileWatch();

  // From now on these and no others.
  void watch(const std::vector<std::string> &paths);
  // Those that changed since the last call, as they were named.
  std::vector<std::string> takeChanged();

private:
  void run();
  void publish();
  bool noteEvents(const char *events, size_t size); // whether one is of a watched file

  // Folders are watched, not files: editors put a new file in the place of the old one.
  struct Watched {
    std::string path;
    std::string name; // in its folder
  };

  std::function<void()> wake_;
  std::mutex mutex_;
  std::multimap<int, Watched> watched_; // by the descriptor of the folder
  std::set<std::string> written_;       // and may be written on
  std::set<std::string> changed_;
  int inotify_ = -1;
  int close_ = -1; // becomes readable when it is time to end
  std::thread thread_;
};

} // namespace tilescope
