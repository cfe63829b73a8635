// Does it matter which of several threads that write one element of a buffer comes last?
//
//     s[0] = 1                     no: all write the same
//     s[tx // 2] = n + tx // 2     no: threads of one element write the same
//     s[0] = A[tx]                 yes: they write different elements of an argument
//     s[A[tx]] = tx                not known: nor is who writes what
//
// One execution of a piece of code by all threads, with no barrier inside.
#pragma once

#include "core/analysis/lane_walk.h"

namespace tilescope {

enum class WriteAgreement : uint8_t {
  Agrees,       // whoever comes last, the values are the same
  Differs,      // for some arguments of the kernel they are not
  OtherElement, // not known: threads may write one element, or may not
  OtherValue,   // not known: threads do write one element, with values that may differ
};

// `stmts` are siblings below the level of tiles. Loops around them are not run: threads that are
// in different iterations are not looked at.
WriteAgreement computeWriteAgreement(Context &context, const StmtPlaces &places, StmtList stmts,
                                     const Buffer &buffer);

} // namespace tilescope
