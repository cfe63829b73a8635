// Remarks: the reason of a decision, as data. Declared in remarks.def.
#pragma once

#include "core/support/source.h"

#include "llvm/Support/FormatVariadic.h"

#include <string>
#include <vector>

namespace tilescope {

enum class RemarkId : uint16_t {
#define REMARK(Name, text) Name,
#include "core/pass/remarks.def"
};

llvm::StringRef nameOf(RemarkId id); // "CopyInstructionChosen"
const char *textOf(RemarkId id);

struct Remark {
  RemarkId id;
  StmtId stmt;                   // what it is about; may be invalid
  std::vector<BufferId> buffers; // ditto
  Span span;
  std::string text;
};

// With nobody listening a remark costs one branch: `if (sink.wanted())`.
class RemarkSink {
public:
  virtual ~RemarkSink() = default;
  virtual bool wanted() const = 0;
  virtual void take(Remark remark) = 0;
};

class NoRemarks : public RemarkSink {
public:
  bool wanted() const override { return false; }
  void take(Remark /*remark*/) override {}
};

struct RemarkSubject {
  StmtId stmt;
  Span span;
  std::vector<BufferId> buffers;
};

template <typename... Args>
void emitRemark(RemarkSink &sink, RemarkId id, RemarkSubject subject, Args &&...args) {
  if (!sink.wanted())
    return;
  sink.take({id, subject.stmt, std::move(subject.buffers), subject.span,
             llvm::formatv(textOf(id), std::forward<Args>(args)...).str()});
}

} // namespace tilescope
