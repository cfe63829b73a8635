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

void Findings::append(const Findings &later) {
  for (const ExecutionFinding &finding : later.all_)
    add(finding);
}

void Findings::add(const ExecutionFinding &finding) {
  if (ExecutionFinding *known = find(finding.kind, finding.stmt, finding.other, finding.buffer))
    known->count += finding.count;
  else
    all_.push_back(finding);
}

ExecutionFinding *Findings::find(FindingKind kind, StmtId stmt, StmtId other,
                                 llvm::StringRef buffer) {
  auto known = llvm::find_if(all_, [&](const ExecutionFinding &finding) {
    return finding.kind == kind && finding.stmt == stmt && finding.other == other &&
           finding.buffer == buffer;
  });
  return known == all_.end() ? nullptr : &*known;
}

void Findings::add(const Seen &seen) {
  StmtId other = seen.other ? seen.other->id() : StmtId();
  if (ExecutionFinding *known = find(seen.kind, seen.stmt->id(), other, seen.buffer)) {
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
