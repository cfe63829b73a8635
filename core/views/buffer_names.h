// Where lines of text name buffers.
#pragma once

#include "core/trace/buffer_hues.h"
#include "core/views/words.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <unordered_set>

namespace tilescope {

// Bytes [begin, end) of a line name a buffer.
struct BufferSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
  BufferId buffer;
  std::optional<int64_t> version; // nullopt: all of them, or one that is chosen at run time
  bool isComputed = false;        // the latter
  // Of CUDA: whether the statement of the line reads it, writes it; see BufferUses.
  bool isRead = false;
  bool isWritten = false;

  friend bool operator==(const BufferSpan &, const BufferSpan &) = default;
};

// A buffer that a view names.
struct NamedBuffer {
  BufferId id;
  BufferKey key;
  int hueDegrees = 0;
  bool isShared = false; // in shared memory
};

NamedBuffer namedBufferOf(const BufferRecord &record, const BufferHues &hues);
// Every buffer of a snapshot, by id.
std::vector<NamedBuffer> namedBuffersOf(const TraceSnapshot &snapshot, const BufferHues &hues);

// Of `buffers`, which is sorted by id; nullptr: unknown.
const NamedBuffer *findBuffer(const std::vector<NamedBuffer> &buffers, BufferId id);

// The names that hold in a piece of text. A name that is declared again, in another function or
// block, means the later buffer from there on.
class BufferNames {
public:
  explicit BufferNames(size_t expected = 0) : meanings_(static_cast<unsigned>(expected)) {}

  void declare(llvm::StringRef name, BufferId buffer, std::optional<int64_t> version = {},
               bool isComputed = false);
  // What is declared after `mark` means again what it did there, or nothing.
  void mark() { changed_.clear(); }
  void rewind();
  std::vector<BufferSpan> spansOf(llvm::StringRef line) const;
  std::optional<BufferId> bufferOf(llvm::StringRef name) const;

private:
  struct Meaning {
    BufferId buffer;
    std::optional<int64_t> version;
    bool isComputed = false;

    friend bool operator==(const Meaning &, const Meaning &) = default;
  };
  llvm::StringMap<Meaning> meanings_;
  std::vector<std::pair<std::string, std::optional<Meaning>>> changed_; // what they were, in order
};

// The names of a snapshot, whose declarations are lines of their own. Of a buffer with versions the
// first index says which: K_shared[1, 0:128] is version 1.
//
// TileLang's compiler has further names for the bytes of a buffer, and numbers them:
//
//     C_1 = T.decl_buffer((65536,), "float16", data=C)
//     T.ptx_ldmatrix(..., T.access_ptr(A_shared_2[k % 2, 0]))     declared nowhere: of A_shared
//
// Where A_shared and A_shared_1 are two buffers, A_shared_2 may be either, and is neither here.
class IrBufferNames {
public:
  // `isForeign`: the buffers are those of another compiler's trace.
  IrBufferNames(bool isForeign, const std::vector<BufferRecord> &buffers);
  // Before the lines of another text with the same buffers.
  void restart() { names_.rewind(); }
  // To be called for each line of the snapshot in order.
  std::vector<BufferSpan> spansOf(const TraceLine &line);

private:
  void declareAliases(llvm::StringRef line);

  BufferNames names_;
  std::unordered_set<BufferId> versioned_;
  bool isForeign_;
  llvm::StringSet<> numbered_; // "A_shared", where A_shared_1 is a buffer too
};

template <typename Archive> void fields(Archive &archive, BufferSpan &span) {
  archive.always("begin", span.begin);
  archive.always("end", span.end);
  archive("buffer", span.buffer);
  archive("version", span.version);
  archive("computed", span.isComputed);
  archive("read", span.isRead);
  archive("written", span.isWritten);
}

} // namespace tilescope
