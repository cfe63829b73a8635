// The `#@` comments of tagged IR text. printer.cpp writes them:
//     #@ s12 anchor=s9 origin=s3 span=10:5-10:40 operands=10:7-10:8,- v5 v6="k" body s13
//     #@ b3 origin=b1 span=4:5-4:60
#pragma once

#include "core/ir/stmt.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tilescope {

struct TaggedVar {
  VarId id;
  std::optional<std::string> name; // where the text uses another one
};

struct Tag {
  std::optional<StmtInfo> stmt;
  std::optional<StmtInfo> body; // the sequence that the line opens
  std::optional<BufferId> buffer;
  BufferId bufferOrigin;
  Span span;            // when the line is not a statement's: a function, a buffer
  bool hasSpan = false; // also for `span=-`
  llvm::SmallVector<TaggedVar, 1> vars;
  llvm::SmallVector<Span> operands;
};

// `text` without the mark; spans are in `kernel`. Nullopt if it is malformed.
std::optional<Tag> parseTag(llvm::StringRef text, FileId kernel);

} // namespace tilescope
