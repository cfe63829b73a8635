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
    return finding.kind == seen.kind && finding.stmt == seen.stmt->id() && finding.other == other;
  });
  if (known != all_.end()) {
    ++known->count;
    return;
  }
  ExecutionFinding finding{
      seen.kind,       llvm::formatv(sentenceOf(seen.kind), seen.buffer, seen.detail).str(),
      seen.stmt->id(), seen.stmt->span(),
      other,           seen.other ? seen.other->span() : Span(),
      seen.block,      seen.thread};
  all_.push_back(std::move(finding));
}

} // namespace tilescope
