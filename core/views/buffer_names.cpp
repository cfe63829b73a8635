#include "core/views/buffer_names.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

NamedBuffer namedBufferOf(const BufferRecord &record, const BufferHues &hues) {
  return {record.id, record.key, hues.hueOf(record.key), isShared(record.scope)};
}

std::vector<NamedBuffer> namedBuffersOf(const TraceSnapshot &snapshot, const BufferHues &hues) {
  std::vector<NamedBuffer> buffers;
  buffers.reserve(snapshot.buffers->size());
  for (const BufferRecord &record : *snapshot.buffers)
    buffers.push_back(namedBufferOf(record, hues));
  auto byId = [](const NamedBuffer &a, const NamedBuffer &b) { return a.id < b.id; };
  if (!llvm::is_sorted(buffers, byId))
    llvm::stable_sort(buffers, byId);
  return buffers;
}

const NamedBuffer *findBuffer(const std::vector<NamedBuffer> &buffers, BufferId id) {
  auto found = llvm::lower_bound(
      buffers, id, [](const NamedBuffer &buffer, BufferId wanted) { return buffer.id < wanted; });
  return found != buffers.end() && found->id == id ? &*found : nullptr;
}

std::vector<BufferSpan> BufferNames::spansOf(llvm::StringRef line) const {
  std::vector<BufferSpan> spans;
  forEachName(line, [&](TextSpan name) {
    if (auto found = meanings_.find(textOf(line, name)); found != meanings_.end())
      spans.push_back({name.begin, name.end, found->second.buffer, found->second.version,
                       found->second.isComputed});
  });
  return spans;
}

namespace {

// "[1, ..." is 1; "[k % 2, ..." is chosen at run time.
std::optional<int64_t> constantIndex(llvm::StringRef rest) {
  int64_t index = 0;
  if (rest.consume_front("[") && !rest.consumeInteger(10, index) && rest.starts_with(","))
    return index;
  return std::nullopt;
}

} // namespace

IrBufferNames::IrBufferNames(const TraceSnapshot &snapshot) : names_(snapshot.buffers->size()) {
  for (const BufferRecord &record : *snapshot.buffers) {
    names_.declare(record.name, record.id);
    if (record.versions > 1)
      versioned_.insert(record.id);
  }
}

std::vector<BufferSpan> IrBufferNames::spansOf(const TraceLine &line) {
  if (line.buffer.isValid()) {
    llvm::StringRef text = llvm::StringRef(line.text).ltrim();
    names_.declare(text.take_while(isWordByte), line.buffer);
  }
  std::vector<BufferSpan> spans = names_.spansOf(line.text);
  for (BufferSpan &span : spans) {
    if (!versioned_.contains(span.buffer))
      continue;
    llvm::StringRef rest = llvm::StringRef(line.text).drop_front(span.end);
    span.version = constantIndex(rest);
    span.isComputed = !span.version && rest.starts_with("[");
  }
  return spans;
}

} // namespace tilescope
