// Where a reader stands, behind the name of what is open, as the exported page has it in its
// address: "gemm.trace#pass=merge-shared-memory&buffer=K_shared[1]&line=71&tab=arena".
#pragma once

#include "core/trace/trace.h"
#include "core/views/selection.h"

#include "llvm/Support/Error.h"

namespace tilescope {

class Workspace;

struct PlaceLink {
  std::string pass;   // a name as passOfPlace finds it, or an index; "": the last
  std::string buffer; // "K_shared", or one version of it, "K_shared[1]"; "": none
  uint32_t line = 0;  // of the kernel file; 0: none
  std::string tab;    // the panel on top; "": as it is

  friend bool operator==(const PlaceLink &, const PlaceLink &) = default;
};

struct LinkedName {
  std::string name; // FILE[:FUNCTION], with the options of a kernel's line
  PlaceLink place;
};

// The place stands behind the file, before options. A file that has the whole name is that file. An
// error: a word that is no part of a place.
llvm::Expected<LinkedName> splitLink(const std::string &line);

// "gemm.py:matmul#pass=simplify#2&tab=ir --set M=512": what splitLink takes.
std::string linkTo(llvm::StringRef line, const PlaceLink &place);

// Of what is shown after the selected pass.
PlaceLink placeOf(const Trace &trace, const Selection &selection, llvm::StringRef tab);

// The version of a buffer, or all of it, that is declared after a pass; an error says that it is
// not.
llvm::Expected<Pick> pickOfBuffer(llvm::StringRef buffer, const Trace &trace, size_t pass);

// Selects what the place has, but for the tab. An error: what is open has no such pass or buffer.
llvm::Error goTo(const PlaceLink &place, Workspace &workspace);

} // namespace tilescope
