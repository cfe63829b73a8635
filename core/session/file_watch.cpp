#include "core/session/file_watch.h"

#include "llvm/Support/Path.h"

#include <chrono>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace tilescope {

namespace {

using Clock = std::chrono::steady_clock;

// Without a write, until a file counts as written; a file that never rests is looked at anyway.
constexpr std::chrono::milliseconds Quiet(40), MostDelay(400);

} // namespace

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
      close_(eventfd(0, EFD_CLOEXEC)), thread_([this] { run(); }) {}

FileWatch::~FileWatch() {
  uint64_t one = 1;
  (void)!write(close_, &one, sizeof(one));
  thread_.join();
  close(inotify_);
  close(close_);
}

void FileWatch::watch(const std::vector<std::string> &paths) {
  std::lock_guard lock(mutex_);
  std::set<int> old;
  for (const auto &[folder, file] : watched_)
    old.insert(folder);
  watched_.clear();
  for (const std::string &path : paths) {
    std::string folder = llvm::sys::path::parent_path(path).str();
    int id = inotify_add_watch(inotify_, folder.empty() ? "." : folder.c_str(),
                               IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE);
    if (id < 0)
      continue; // the folder is gone: nothing will change
    watched_.emplace(id, Watched{path, llvm::sys::path::filename(path).str()});
    old.erase(id);
  }
  for (int id : old)
    inotify_rm_watch(inotify_, id);
}

std::vector<std::string> FileWatch::takeChanged() {
  std::lock_guard lock(mutex_);
  std::vector<std::string> changed(changed_.begin(), changed_.end());
  changed_.clear();
  return changed;
}

void FileWatch::run() {
  pollfd polled[] = {{inotify_, POLLIN, 0}, {close_, POLLIN, 0}};
  alignas(inotify_event) char events[16 * 1024];
  std::optional<Clock::time_point> firstWritten;
  for (int count = 0; count >= 0 || errno == EINTR;) {
    bool isLate = firstWritten && Clock::now() - *firstWritten > MostDelay;
    count = poll(polled, 2, firstWritten ? static_cast<int>(isLate ? 0 : Quiet.count()) : -1);
    if (polled[1].revents)
      return;
    if (count == 0 || isLate) {
      firstWritten.reset();
      publish();
    }
    if (count <= 0)
      continue;
    ssize_t size = read(inotify_, events, sizeof(events));
    if (size > 0 && noteEvents(events, static_cast<size_t>(size)) && !firstWritten)
      firstWritten = Clock::now();
  }
}

void FileWatch::publish() {
  {
    std::lock_guard lock(mutex_);
    changed_.merge(written_);
    written_.clear();
  }
  wake_();
}

bool FileWatch::noteEvents(const char *events, size_t size) {
  bool isOurs = false;
  std::lock_guard lock(mutex_);
  for (size_t at = 0; at < size;) {
    inotify_event event;
    std::memcpy(&event, events + at, sizeof(event));
    const char *name = events + at + sizeof(event);
    auto [first, last] = watched_.equal_range(event.wd);
    for (; first != last; ++first) {
      if (event.len == 0 || first->second.name != name)
        continue;
      written_.insert(first->second.path);
      isOurs = true;
    }
    at += sizeof(event) + event.len;
  }
  return isOurs;
}

} // namespace tilescope
