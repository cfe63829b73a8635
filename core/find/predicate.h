// A predicate over the state of a compile after one of its passes.
//
//     either    = both { "or" both }
//     both      = one { "and" one }
//     one       = "not" one | "(" either ")" | atom
//     atom      = "text" QUERY                              a line of the IR matches; see
//     text_query.h
//               | "cuda" QUERY                              what becomes a matching line of CUDA
//               | "peak" COMPARISON SIZE                    of the highest kernel
//               | "shares" "(" BUFFER "," BUFFER ")"        bytes of shared memory
//               | BUFFER "overlaps" BUFFER                  the same
//               | "buffer" BUFFER [ "appears" | "disappears" | "renamed" ]
//               | "fails" [ "verify" | "arena" | "hazards" | "run" ]
//               | "planned"                                 offsets are final, no preview
//     QUERY     = a word, "text in quotes", or /regex/
//     BUFFER    = a name or a key, a word or in quotes
//     SIZE      = a number with B, KiB, MiB or GiB; without a unit bytes
//     COMPARISON: > >= < <= == !=
//
//     peak > 160KiB and not planned
//     shares(Q_shared, O_shared) or text /ldmatrix.*trans/
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilescope {

enum class PredicateKind : uint8_t {
  And,
  Or,
  Not,
  Text,
  Cuda,
  Peak,
  Shares,
  Buffer,
  Fails,
  Planned
};
enum class ComparisonOperator : uint8_t { Greater, GreaterEqual, Less, LessEqual, Equal, NotEqual };
// There is a state for `Exists`; the others compare it with the state before the pass.
enum class AskedChange : uint8_t { Exists, Appears, Disappears, Renamed };
enum class CheckKind : uint8_t { Any, Verify, Arena, Hazards, Run };

struct Predicate {
  PredicateKind kind = PredicateKind::And;
  std::vector<Predicate> operands; // And, Or: at least two; Not: one; atoms: none
  std::string text;                // of an atom, as written

  std::string query;                                           // Text, Cuda
  ComparisonOperator comparison = ComparisonOperator::Greater; // Peak
  int64_t bytes = 0;                                           // Peak
  std::string buffer;                                          // Shares, Buffer
  std::string other;                                           // Shares
  AskedChange event = AskedChange::Exists;                     // Buffer
  CheckKind check = CheckKind::Any;                            // Fails
};

// The error is the cause, the text, and a caret below the place:
//
//     expected a size, such as 160KiB
//       peak > and
//              ^
llvm::Expected<Predicate> parsePredicate(llvm::StringRef text);

} // namespace tilescope
