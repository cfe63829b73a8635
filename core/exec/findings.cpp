#include "core/exec/findings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

const char *sentenceOf(FindingKind kind) {
  switch (kind) {
#define FINDING(Name, key, sentence)                                                               \
  case FindingKind::Name:                                                                          \
    return sentence;
#include "core/exec/finding_kinds.def"
  }
  return "";
}

} // namespace

llvm::StringRef keyOf(FindingKind kind) {
  switch (kind) {
#define FINDING(Name, key, sentence)                                                               \
  case FindingKind::Name:                                                                          \
    return key;
#include "core/exec/finding_kinds.def"
  }
  return "";
}

void Findings::add(const Seen &seen) {
  StmtId other = seen.other ? seen.other->id() : StmtId();
  auto known = llvm::find_if(all_, [&](const ExecutionFinding &finding) {
    return finding.kind == seen.kind && finding.stmt == seen.stmt->id() && finding.other == other &&
           finding.buffer == seen.buffer;
  });
  if (known != all_.end()) {
    ++known->count;
    return;
  }
  std::string text = llvm::formatv(sentenceOf(seen.kind), seen.buffer, seen.detail).str();
  all_.push_back({.kind = seen.kind,
                  .buffer = seen.buffer.str(),
                  .text = std::move(text),
                  .stmt = seen.stmt->id(),
                  .span = seen.stmt->span(),
                  .other = other,
                  .otherSpan = seen.other ? seen.other->span() : Span(),
                  .block = seen.block,
                  .thread = seen.thread});
}

} // namespace tilescope
