#include "core/sweep/worker_pool.h"

#include "core/sweep/json_line.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <cstring>
#include <deque>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope {

namespace {

using Clock = std::chrono::steady_clock;

// What a process says of a point: that it begins, or its row.
struct PoolMessage {
  bool isRow = false;
  bool isSpoiled = false;
  SweepRow row; // before it is finished its point alone
};

template <typename Archive> void fields(Archive &archive, PoolMessage &message) {
  archive("isRow", message.isRow);
  archive("isSpoiled", message.isSpoiled);
  archive("row", message.row);
}

std::string systemError() { return std::error_code(errno, std::generic_category()).message(); }

// Who no longer listens ends this process anyway.
void sendAll(int socket, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return;
    text = text.drop_front(static_cast<size_t>(sent));
  }
}

struct Process {
  pid_t id = 0; // 0: there is none
  int socket = -1;
  std::string received;          // since the last line break
  std::vector<uint64_t> points;  // that it was given and has not finished
  std::optional<uint64_t> onGpu; // of the points
  Clock::time_point deadline;    // of that one
};

// Forks; `work` ends the new process. Its end of the line is closed here.
llvm::Error start(Process &process, llvm::function_ref<void(int socket)> work) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return llvm::createStringError("cannot start a process: " + systemError());
  pid_t id = fork();
  if (id < 0) {
    std::string cause = systemError();
    close(sockets[0]);
    close(sockets[1]);
    return llvm::createStringError("cannot start a process: " + cause);
  }
  if (id == 0) {
    // Who interrupts the sweep means its first process, and that one ends the others.
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      std::signal(signal, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(sockets[0]);
    work(sockets[1]);
    // Nothing that the first process had still to write is written twice.
    _exit(0);
  }
  close(sockets[1]);
  process = Process();
  process.id = id;
  process.socket = sockets[0];
  return llvm::Error::success();
}

// Waits for its end, and forgets it. Returns the status of waitpid.
int await(Process &process) {
  // What it still says nobody hears: it does not wait for that.
  close(process.socket);
  int status = 0;
  while (waitpid(process.id, &status, 0) < 0 && errno == EINTR) {
  }
  process = Process();
  return status;
}

// The same, and ends it if it has not ended yet.
int end(Process &process) {
  kill(process.id, SIGKILL);
  return await(process);
}

// Appends what has come. False: the other side has ended.
bool receive(Process &process) {
  char buffer[4096];
  ssize_t count = recv(process.socket, buffer, sizeof buffer, 0);
  if (count < 0 && errno == EINTR)
    return true;
  if (count <= 0)
    return false;
  process.received.append(buffer, static_cast<size_t>(count));
  return true;
}

std::string textOfEnd(int status) {
  if (WIFSIGNALED(status))
    return llvm::formatv("its process was ended by signal {0} ({1})", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
  return llvm::formatv("its process ended, with exit code {0}", WEXITSTATUS(status));
}

class Pool {
public:
  Pool(const PoolRequest &request, llvm::function_ref<llvm::Error(SweepRow)> take)
      : request_(request), take_(take), fresh_(request.points.begin(), request.points.end()),
        open_(request.points.size()), processes_(request.workers) {}
  ~Pool() {
    for (Process &process : processes_)
      if (process.id != 0)
        end(process);
  }

  llvm::Error run();

private:
  llvm::Error fill(Process &process);
  llvm::Error give(Process &process, std::deque<uint64_t> &from);
  void wait();
  llvm::Error hear(Process &process);
  llvm::Error hear(Process &process, llvm::StringRef line);
  llvm::Error lose(Process &process);
  llvm::Error stopLate(Process &process);
  llvm::Error take(SweepRow row);

  const PoolRequest &request_;
  llvm::function_ref<llvm::Error(SweepRow)> take_;
  std::deque<uint64_t> fresh_;
  std::deque<uint64_t> suspects_; // one of those that a process had when it ended
  size_t open_;                   // points without a row
  std::vector<Process> processes_;
};

llvm::Error Pool::run() {
  while (open_ != 0) {
    if (request_.stop && *request_.stop)
      return llvm::createStringError("stopped");
    for (Process &process : processes_)
      if (llvm::Error error = fill(process))
        return error;
    wait();
    for (Process &process : processes_) {
      if (process.id == 0)
        continue;
      if (llvm::Error error = hear(process))
        return error;
      if (llvm::Error error = stopLate(process))
        return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error Pool::fill(Process &process) {
  while (process.points.size() < request_.atOnce) {
    bool isLast = fresh_.empty();
    if (isLast && (suspects_.empty() || !process.points.empty()))
      break;
    if (llvm::Error error = give(process, isLast ? suspects_ : fresh_))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Pool::give(Process &process, std::deque<uint64_t> &from) {
  if (process.id == 0) {
    auto work = [&](int socket) {
      for (const Process &other : processes_)
        if (other.id != 0)
          close(other.socket);
      PoolLine line(socket);
      request_.work(static_cast<size_t>(&process - processes_.data()), line);
    };
    if (llvm::Error error = start(process, work))
      return error;
  }
  // If it has ended, that is heard.
  sendAll(process.socket, std::to_string(from.front()) + "\n");
  process.points.push_back(from.front());
  from.pop_front();
  return llvm::Error::success();
}

// Until something is to be heard or done, or a while: a signal may come just before the wait.
void Pool::wait() {
  constexpr std::chrono::milliseconds Longest(200);
  std::chrono::milliseconds pause = Longest;
  std::vector<pollfd> polled;
  for (const Process &process : processes_) {
    if (process.id == 0)
      continue;
    polled.push_back({process.socket, POLLIN, 0});
    if (process.onGpu)
      pause = std::min(
          pause, std::chrono::ceil<std::chrono::milliseconds>(process.deadline - Clock::now()));
  }
  (void)poll(polled.data(), polled.size(), static_cast<int>(std::max<int64_t>(pause.count(), 0)));
}

llvm::Error Pool::hear(Process &process) {
  pollfd polled{process.socket, POLLIN, 0};
  if (poll(&polled, 1, 0) <= 0)
    return llvm::Error::success();
  if (!receive(process))
    return lose(process);
  // A line may end the process.
  for (size_t length = 0; (length = process.received.find('\n')) != std::string::npos;) {
    std::string line = process.received.substr(0, length);
    process.received.erase(0, length + 1);
    if (llvm::Error error = hear(process, line))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Pool::hear(Process &process, llvm::StringRef line) {
  PoolMessage message;
  std::string error;
  bool isKnown =
      readJsonLine(line, message, error) && llvm::is_contained(process.points, message.row.point);
  if (!isKnown)
    return llvm::createStringError("a process that times points says '" + line + "'");
  if (!message.isRow) {
    process.onGpu = message.row.point;
    process.deadline = Clock::now() + request_.limit;
    return llvm::Error::success();
  }
  if (message.isSpoiled && process.points.size() > 1) {
    llvm::append_range(suspects_, process.points);
    end(process);
    return llvm::Error::success();
  }
  if (process.onGpu == message.row.point)
    process.onGpu.reset();
  llvm::erase(process.points, message.row.point);
  if (message.isSpoiled)
    end(process);
  return take(std::move(message.row));
}

llvm::Error Pool::lose(Process &process) {
  std::vector<uint64_t> points = std::move(process.points);
  std::string text = textOfEnd(end(process));
  if (points.size() == 1)
    return take({points.front(), text, "", {}});
  llvm::append_range(suspects_, points);
  return llvm::Error::success();
}

llvm::Error Pool::stopLate(Process &process) {
  if (!process.onGpu || Clock::now() < process.deadline)
    return llvm::Error::success();
  uint64_t late = *process.onGpu;
  llvm::erase(process.points, late);
  fresh_.insert(fresh_.begin(), process.points.begin(), process.points.end());
  end(process);
  return take({late, request_.late, "", {}});
}

llvm::Error Pool::take(SweepRow row) {
  --open_;
  return take_(std::move(row));
}

} // namespace

std::optional<uint64_t> PoolLine::next() {
  std::lock_guard lock(reading_);
  std::string text;
  for (char c = 0;;) {
    ssize_t count = recv(socket_, &c, 1, 0);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    if (c == '\n')
      break;
    text += c;
  }
  uint64_t point = 0;
  return llvm::StringRef(text).getAsInteger(10, point) ? std::nullopt : std::optional(point);
}

void PoolLine::begin(uint64_t point) {
  PoolMessage message;
  message.row.point = point;
  send(jsonLine(message));
}

void PoolLine::finish(const SweepRow &row, bool isSpoiled) {
  send(jsonLine(PoolMessage{true, isSpoiled, row}));
}

void PoolLine::send(const std::string &line) {
  std::lock_guard lock(writing_);
  sendAll(socket_, line);
}

llvm::Error runPool(const PoolRequest &request, llvm::function_ref<llvm::Error(SweepRow)> take) {
  return Pool(request, take).run();
}

llvm::Expected<std::string> askProcess(llvm::function_ref<std::string()> answer) {
  Process process;
  if (llvm::Error error = start(process, [&](int socket) { sendAll(socket, answer()); }))
    return error;
  while (receive(process)) {
  }
  std::string text = std::move(process.received);
  if (int status = await(process))
    return llvm::createStringError(textOfEnd(status));
  return text;
}

} // namespace tilescope
