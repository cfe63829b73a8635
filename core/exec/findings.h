// What an execution found wrong with the program, each thing once, with a count.
#pragma once

#include "core/ir/stmt.h"

#include <string>
#include <vector>

namespace tilescope {

enum class FindingKind : uint8_t {
#define FINDING(Name, key, sentence) Name,
#include "core/exec/finding_kinds.def"
};

llvm::StringRef keyOf(FindingKind kind); // "uninitialised-read"

struct ExecutionFinding {
  FindingKind kind;
  std::string buffer; // its name; "": it is about none
  std::string text;   // a sentence
  StmtId stmt;        // that did it
  Span span;
  StmtId other; // a race, a copy in flight: what it met; may be invalid
  Span otherSpan;
  int64_t block = 0;  // where it was seen first
  int64_t thread = 0; // negative: all threads together
  int64_t count = 1;  // elements, over all blocks and threads
};

class Findings {
public:
  // Where it was seen: the first of its kind, statements and buffer is kept whole.
  struct Seen {
    FindingKind kind;
    const Stmt *stmt;
    const Stmt *other = nullptr;
    llvm::StringRef buffer;
    std::string detail; // {1} of the sentence
    int64_t block = 0;
    int64_t thread = 0;
  };
  void add(const Seen &seen);
  void add(const ExecutionFinding &finding);
  // Of blocks that come later.
  void append(const Findings &later);

  bool empty() const { return all_.empty(); }
  llvm::ArrayRef<ExecutionFinding> all() const { return all_; }

private:
  // Null: there is none yet.
  ExecutionFinding *find(FindingKind kind, StmtId stmt, StmtId other, llvm::StringRef buffer);

  std::vector<ExecutionFinding> all_;
};

} // namespace tilescope
