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

void BufferNames::declare(llvm::StringRef name, BufferId buffer, std::optional<int64_t> version,
                          bool isComputed) {
  Meaning meaning{buffer, version, isComputed};
  auto [found, isNew] = meanings_.try_emplace(name, meaning);
  if (!isNew && found->second == meaning)
    return;
  changed_.emplace_back(name.str(), isNew ? std::nullopt : std::optional(found->second));
  found->second = meaning;
}

void BufferNames::rewind() {
  for (const auto &[name, meaning] : llvm::reverse(changed_))
    if (meaning)
      meanings_[name] = *meaning;
    else
      meanings_.erase(name);
  changed_.clear();
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

std::optional<BufferId> BufferNames::bufferOf(llvm::StringRef name) const {
  auto found = meanings_.find(name);
  return found == meanings_.end() ? std::nullopt : std::optional(found->second.buffer);
}

namespace {

// "A_shared" of "A_shared_12"; "": it has no number.
llvm::StringRef withoutNumber(llvm::StringRef name) {
  llvm::StringRef base = name.rtrim("0123456789");
  return base.size() != name.size() && base.consume_back("_") ? base : "";
}

// "[1, ..." is 1; "[k % 2, ..." is chosen at run time.
std::optional<int64_t> constantIndex(llvm::StringRef rest) {
  int64_t index = 0;
  if (rest.consume_front("[") && !rest.consumeInteger(10, index) && rest.starts_with(","))
    return index;
  return std::nullopt;
}

} // namespace

IrBufferNames::IrBufferNames(bool isForeign, const std::vector<BufferRecord> &buffers)
    : names_(buffers.size()), isForeign_(isForeign) {
  for (const BufferRecord &record : buffers) {
    names_.declare(record.name, record.id);
    if (record.versions > 1)
      versioned_.insert(record.id);
    if (llvm::StringRef base = withoutNumber(record.name); isForeign_ && !base.empty())
      numbered_.insert(base);
  }
  names_.mark();
}

void IrBufferNames::declareAliases(llvm::StringRef line) {
  constexpr llvm::StringLiteral Data = "data=";
  llvm::StringRef name = line.ltrim().take_while(isWordByte);
  if (line.ltrim().drop_front(name.size()).starts_with(" = T.decl_buffer(")) {
    llvm::StringRef data = line.split(Data).second.take_while(isWordByte);
    if (std::optional<BufferId> buffer = names_.bufferOf(data))
      names_.declare(name, *buffer);
    return;
  }
  forEachName(line, [&](TextSpan span) {
    llvm::StringRef used = textOf(line, span), base = withoutNumber(used);
    // What has no index is a number, such as a variable of a loop.
    if (base.empty() || numbered_.contains(base) || !line.drop_front(span.end).starts_with("[") ||
        names_.bufferOf(used))
      return;
    if (std::optional<BufferId> buffer = names_.bufferOf(base))
      names_.declare(used, *buffer);
  });
}

std::vector<BufferSpan> IrBufferNames::spansOf(const TraceLine &line) {
  if (line.buffer.isValid()) {
    llvm::StringRef text = llvm::StringRef(line.text).ltrim();
    names_.declare(text.take_while(isWordByte), line.buffer);
  }
  if (isForeign_)
    declareAliases(line.text);
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
