#include "core/views/unplaced_buffers.h"

#include "core/trace/trace_queries.h"

namespace tilescope {

namespace {

bool isStatic(const BufferRecord &record) { return record.scope == BufferScope::SharedStatic; }
bool isDynamic(const BufferRecord &record) { return record.scope == BufferScope::SharedDynamic; }

std::string staticText(int64_t sizeBytes) {
  return groupedNumber(sizeBytes) + " bytes, placed by the CUDA compiler";
}

constexpr const char *NoBytes = " has 0 bytes: there is nothing to place";
constexpr const char *NoAccess = " is never read or written: it needs no place";

// By name or key.
const BufferRecord *findShared(const TraceSnapshot &snapshot, llvm::StringRef name) {
  for (const BufferRecord &record : *snapshot.buffers)
    if ((isStatic(record) || isDynamic(record)) &&
        (record.name == name || toString(record.key) == name))
      return &record;
  return nullptr;
}

} // namespace

std::vector<StaticArray> staticArraysOf(const TraceSnapshot &snapshot) {
  std::vector<StaticArray> arrays;
  for (const BufferRecord &record : *snapshot.buffers)
    if (isStatic(record) && record.sizeBytes)
      arrays.push_back({record.key.function, record.name, typeText(record), *record.sizeBytes,
                        record.span.line});
  return arrays;
}

void printStatics(const std::vector<StaticArray> &arrays, llvm::StringRef function,
                  llvm::raw_ostream &out) {
  for (const StaticArray &array : arrays)
    if (array.function == function)
      out << "  static: " << array.name << ' ' << staticText(array.sizeBytes) << '\n';
}

std::string whyUnplaced(const PassState &state, llvm::StringRef name) {
  std::string who = "'" + name.str() + "'";
  if (const BufferRecord *record = findShared(state.snapshot(), name)) {
    if (!record->sizeBytes)
      return who + " has no constant size: no plan places it";
    if (isStatic(*record))
      return who + " is static: " + staticText(*record->sizeBytes);
    return who + (*record->sizeBytes == 0 ? NoBytes : NoAccess);
  }
  // A pass has dropped it.
  const Trace &trace = state.trace();
  for (size_t index = state.pass(); index-- > 0;) {
    const TracePass &pass = trace.passes[index];
    const BufferRecord *record = findShared(trace.snapshots[pass.snapshot], name);
    if (!record)
      continue;
    return who + (record->sizeBytes == 0 ? NoBytes : NoAccess) + ", and is gone after " +
           passPlace(trace, index + 1);
  }
  return "";
}

} // namespace tilescope
