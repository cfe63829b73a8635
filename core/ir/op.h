// What an operation declares about itself. One file per operation in core/ir/ops/.
#pragma once

#include "core/ir/context.h"

namespace tilescope {

class Diagnostics;
class Function;
class OpStmt;

enum class Op : uint8_t {
#define OP(Name, printed, level) Name,
#include "core/ops/ops.def"
};

enum class Attr : uint8_t {
#define ATTR(Name, printed) Name,
#include "core/ops/attrs.def"
};

enum class OpLevel : uint8_t { Tile, Device, Both };

enum class Effect : uint8_t { Read, Write, ReadWrite };

struct OperandInfo {
  llvm::StringRef name;
  Effect effect;
};

struct ArgInfo {
  llvm::StringRef name;
  bool optional = false;
};

enum class AttrType : uint8_t { Bool, Int, Name }; // Name: one of `names`, stored as its index

struct AttrInfo {
  Attr attr;
  AttrType type;
  int64_t defaultValue = 0;
  llvm::ArrayRef<llvm::StringRef> names = {};
};

// Threads that must execute the op together.
enum class OpScope : uint8_t { Thread, Warp, Block };

struct OpInfo {
  llvm::ArrayRef<OperandInfo> operands;
  llvm::ArrayRef<ArgInfo> args = {};
  llvm::ArrayRef<AttrInfo> attrs = {};
  OpScope scope = OpScope::Block;
  // Checks shapes, types and scopes; reports at the statement. Null: nothing beyond the table.
  bool (*verify)(const OpStmt &, const Function &, Diagnostics &) = nullptr;
  // The destination may take the bytes of a source.
  bool inPlace = false;

  size_t indexOf(Attr attr) const;
  bool has(Attr attr) const;
};

const OpInfo &infoOf(Op op);
llvm::StringRef nameOf(Op op);
OpLevel levelOf(Op op);
llvm::StringRef nameOf(Attr attr);

// Values of Name attributes.
enum class WarpPolicy : int64_t { Square, FullRow, FullCol };
enum class ReduceKind : int64_t { Sum, Max, Min, AbsMax, AbsSum };
enum class CopyInstruction : int64_t { Automatic, CpAsync, Synchronous };

#define OP(Name, printed, level) const OpInfo &infoOf##Name();
#include "core/ops/ops.def"

} // namespace tilescope
