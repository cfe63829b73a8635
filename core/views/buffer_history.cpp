#include "core/views/buffer_history.h"

#include "core/support/nearest_name.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

namespace tilescope {

namespace {

// "offset 1,024", "offset 0 -> 1,024", "no offset any more".
std::string changeText(const std::string &what, const std::string &before, const std::string &now) {
  if (now.empty())
    return "no " + what + " any more";
  return what + " " + (before.empty() ? now : before + " -> " + now);
}

std::string offsetText(const std::optional<int64_t> &offsetBytes) {
  return offsetBytes ? groupedNumber(*offsetBytes) : "";
}

std::string shapeText(const BufferRecord &record) {
  return record.dtype + " (" + llvm::join(record.shape, ", ") + ")";
}

class History {
public:
  void addPass(size_t index, const TracePass &pass, bool isExact, const BufferRecord *before,
               const BufferRecord *now) {
    pass_ = &pass;
    index_ = index;
    isExact_ = isExact;
    if (!before && now)
      add(BufferEventKind::Created, created(*now));
    else if (before && !now)
      add(BufferEventKind::Removed, before->name);
    else if (before && now)
      addChanges(*before, *now);
  }

  std::vector<BufferEvent> events;

private:
  static std::string created(const BufferRecord &record) {
    std::string text = typeText(record) + " in " + nameOf(record.scope);
    if (!record.layout.empty())
      text += ", " + record.layout;
    if (record.offsetBytes)
      text += ", offset " + offsetText(record.offsetBytes);
    return text;
  }

  void addChanges(const BufferRecord &before, const BufferRecord &now) {
    if (before.name != now.name)
      add(BufferEventKind::Renamed, before.name + " -> " + now.name);
    if (before.dtype != now.dtype || before.shape != now.shape)
      add(BufferEventKind::Retyped, shapeText(before) + " -> " + shapeText(now));
    if (before.scope != now.scope)
      add(BufferEventKind::Rescoped,
          std::string(nameOf(before.scope)) + " -> " + nameOf(now.scope));
    if (before.versions != now.versions)
      add(BufferEventKind::Versioned,
          llvm::formatv("{0} -> {1} versions", before.versions, now.versions));
    if (before.layout != now.layout)
      add(BufferEventKind::RelaidOut, changeText("layout", before.layout, now.layout));
    if (before.offsetBytes != now.offsetBytes)
      add(BufferEventKind::Placed,
          changeText("offset", offsetText(before.offsetBytes), offsetText(now.offsetBytes)));
  }

  void add(BufferEventKind kind, std::string text) {
    events.push_back({index_, pass_->name, kind, std::move(text), isExact_});
  }

  const TracePass *pass_ = nullptr;
  size_t index_ = 0;
  bool isExact_ = true;
};

// An exact key before one of another function.
const BufferRecord *recordOf(const TraceSnapshot &snapshot, const BufferKey &key) {
  const BufferRecord *found = nullptr;
  for (const BufferRecord &record : *snapshot.buffers) {
    if (record.key == key)
      return &record;
    bool fits = record.key.sourceName == key.sourceName && record.key.ordinal == key.ordinal &&
                record.key.role == key.role;
    if (fits && !found)
      found = &record;
  }
  return found;
}

} // namespace

const char *nameOf(BufferEventKind kind) {
  return EnumNames<BufferEventKind>::Names[static_cast<size_t>(kind)];
}

std::string passText(const BufferEvent &event) {
  return event.isExact ? event.passName : event.passName + " or before";
}

std::vector<BufferEvent> historyOf(const Trace &trace, BufferId id) {
  History history;
  const BufferRecord *before = nullptr;
  const std::vector<BufferRecord> *table = nullptr;
  bool isExact = true; // no pass since `before` is unknown
  for (size_t index = 0; index < trace.passes.size(); ++index) {
    const TraceSnapshot &snapshot = trace.snapshots[trace.passes[index].snapshot];
    if (snapshot.buffers.get() == table)
      continue;
    if (!isLoaded(snapshot)) {
      isExact = false;
      continue;
    }
    table = snapshot.buffers.get();
    const BufferRecord *now = recordOf(snapshot, id);
    history.addPass(index, trace.passes[index], isExact, before, now);
    before = now;
    isExact = true;
  }
  return std::move(history.events);
}

std::optional<BufferPlace> findBuffer(const Trace &trace, const Selection &selection,
                                      const BufferKey &key) {
  if (trace.passes.empty())
    return std::nullopt;
  size_t selected = std::min(selection.pass, trace.passes.size() - 1);
  const std::vector<BufferRecord> *searched = nullptr; // most passes share a table
  auto at = [&](size_t index) -> std::optional<BufferPlace> {
    const TraceSnapshot &snapshot = trace.snapshots[trace.passes[index].snapshot];
    if (std::exchange(searched, snapshot.buffers.get()) == snapshot.buffers.get())
      return std::nullopt;
    if (const BufferRecord *record = recordOf(snapshot, key))
      return BufferPlace{record->id, index, record};
    return std::nullopt;
  };
  for (size_t index = selected + 1; index-- > 0;)
    if (std::optional<BufferPlace> place = at(index))
      return place;
  for (size_t index = selected + 1; index < trace.passes.size(); ++index)
    if (std::optional<BufferPlace> place = at(index))
      return place;
  return std::nullopt;
}

llvm::Expected<BufferKey> bufferKeyOf(const Trace &trace, const Selection &selection,
                                      llvm::StringRef name) {
  std::set<std::string> names;
  std::vector<BufferKey> fits;
  auto search = [&](const TraceSnapshot &snapshot) {
    for (const BufferRecord &record : *snapshot.buffers) {
      names.insert(record.name);
      bool isNamed = record.name == name || toString(record.key) == name;
      if (isNamed && !llvm::is_contained(fits, record.key))
        fits.push_back(record.key);
    }
  };
  search(selectedSnapshot(trace, selection));
  for (size_t index = trace.passes.size(); fits.empty() && index-- > 0;)
    search(trace.snapshots[trace.passes[index].snapshot]);
  if (fits.size() == 1)
    return fits.front();
  if (fits.empty())
    return llvm::createStringError("no buffer '" + name + "'; there are " +
                                   llvm::join(names, ", ") +
                                   didYouMean(name, {names.begin(), names.end()}));
  std::vector<std::string> keys;
  keys.reserve(fits.size());
  for (const BufferKey &key : fits)
    keys.push_back(toString(key));
  return llvm::createStringError("several buffers are named '" + name +
                                 "': " + llvm::join(keys, ", "));
}

} // namespace tilescope
