// The lines of IR text of a trace, by LineId. A trace that is read piece by piece has lines that
// are not loaded yet: they are empty and cost next to nothing. A line, once set, stays where it is.
#pragma once

#include "core/support/ids.h"
#include "core/support/kernel_line.h"
#include "core/support/source.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilescope {

// Index into Trace::lines.
using LineId = uint32_t;

// An interned line of IR text. The same statement printed twice alike is one line.
struct TraceLine {
  std::string text;
  StmtId stmt;            // invalid: header or declaration
  BufferId buffer;        // declarations
  Span span;              // in the kernel file
  bool isCarried = false; // the line of `span` was worked out, not recorded

  KernelLine sourceLine() const { return {span.line, isCarried}; }
  friend bool operator==(const TraceLine &, const TraceLine &) = default;
};

class LineTable {
public:
  LineTable() = default;
  LineTable(std::vector<TraceLine> lines) {
    for (TraceLine &line : lines)
      push_back(std::move(line));
  }
  LineTable(std::initializer_list<TraceLine> lines) : LineTable(std::vector<TraceLine>(lines)) {}

  size_t size() const { return size_; }
  // `id` < size().
  const TraceLine &operator[](LineId id) const {
    const std::vector<TraceLine> &chunk = chunks_[id / ChunkLines];
    return chunk.empty() ? notLoaded() : chunk[id % ChunkLines];
  }

  class Iterator {
  public:
    Iterator(const LineTable &table, size_t at) : table_(&table), at_(at) {}
    const TraceLine &operator*() const { return (*table_)[static_cast<LineId>(at_)]; }
    Iterator &operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator &, const Iterator &) = default;

  private:
    const LineTable *table_;
    size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

  void push_back(TraceLine line) {
    resize(size_ + 1);
    set(static_cast<LineId>(size_ - 1), std::move(line));
  }
  // New lines are not loaded. Never shrinks.
  void resize(size_t size) {
    size_ = std::max(size_, size);
    chunks_.resize((size_ + ChunkLines - 1) / ChunkLines);
  }
  // `id` < size().
  void set(LineId id, TraceLine line) {
    std::vector<TraceLine> &chunk = chunks_[id / ChunkLines];
    if (chunk.empty())
      chunk.resize(ChunkLines);
    chunk[id % ChunkLines] = std::move(line);
  }

  friend bool operator==(const LineTable &first, const LineTable &second) {
    if (first.size_ != second.size_)
      return false;
    for (LineId id = 0; id != first.size_; ++id)
      if (first[id] != second[id])
        return false;
    return true;
  }

private:
  static constexpr size_t ChunkLines = 256;
  static const TraceLine &notLoaded() {
    static const TraceLine Nothing;
    return Nothing;
  }

  std::vector<std::vector<TraceLine>> chunks_; // one that is empty has no line loaded
  size_t size_ = 0;
};

} // namespace tilescope
