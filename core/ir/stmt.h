// Statements: immutable; a pass builds new ones and shares what did not change.
#pragma once

#include "core/ir/expr.h"
#include "core/ir/layout.h"
#include "core/ir/op.h"
#include "core/support/source.h"

namespace tilescope {

enum class StmtKind : uint8_t { Seq, For, Parallel, If, Role, Break, Bind, Store, Op, Launch };

// Identity and provenance. Rebuilding a statement keeps all of it; cloning or expanding gives a
// fresh id whose `origin` is the statement it came from.
struct StmtInfo {
  StmtId id;
  // The tile-level statement instance, after pipelining, that this was lowered from; itself before.
  StmtId anchor;
  StmtId origin; // invalid: not cloned from anything
  Span span;
};

class Stmt {
public:
  StmtKind kind() const { return kind_; }
  StmtId id() const { return info_.id; }
  StmtId anchor() const { return info_.anchor; }
  StmtId origin() const { return info_.origin; }
  const Span &span() const { return info_.span; }
  const StmtInfo &info() const { return info_; }

protected:
  Stmt(StmtKind kind, const StmtInfo &info) : kind_(kind), info_(info) {}

private:
  StmtKind kind_;
  StmtInfo info_;
};

using StmtList = llvm::ArrayRef<const Stmt *>;

class Seq : public Stmt {
public:
  Seq(const StmtInfo &info, StmtList stmts) : Stmt(StmtKind::Seq, info), stmts(stmts) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Seq; }

  StmtList stmts; // no element is itself a Seq
};

enum class ForKind : uint8_t {
  Serial,
  Unrolled,
  Vectorized, // constant extent, memory accesses of consecutive iterations are one wide access
  Pipelined,  // tile level: `pipeline` says how
  Endless,    // until a Break, `while` in kernels; `extent` is EndlessTrips
};

// Of endless loops: as many iterations as a variable of 32 bits can count.
inline constexpr int64_t EndlessTrips = INT32_MAX;

// What one child statement of a pipelined loop's body is scheduled as.
struct ScheduledStmt {
  StmtId stmt;
  int64_t order = 0;  // position in the new body
  int64_t stage = 0;  // iterations by which it lags behind stage 0
  int64_t group = -1; // asynchronous commit group, -1: synchronous
};

struct VersionCount {
  BufferId buffer;
  int64_t versions = 1;
};

// Software pipelining of one loop: the request (from the kernel), the plan (plan-pipeline), and the
// record of what was done (inject-pipeline; then the loop is Serial).
class Pipeline {
public:
  int64_t numStages = 0;
  llvm::ArrayRef<int64_t> order;          // explicit request, empty if none
  llvm::ArrayRef<int64_t> stage;          // explicit request, empty if none
  llvm::ArrayRef<ScheduledStmt> schedule; // the plan; empty before plan-pipeline
  llvm::ArrayRef<VersionCount> versions;  // this loop indexes these buffers modulo its count
  // Record of inject-pipeline: in each iteration a full write of each buffer in `versions` comes
  // before every read. So if the loop runs at all, nothing that was written to them before its
  // prologue is read later. Request and schedule are then empty but for `numStages`.
  bool injected = false;
  // Of an injected loop: the CUDA counts slots of its rings and their parities up, where it would
  // divide by a number that is no power of two (core/analysis/ring_counters.h).
  bool counters = false;
};

class For : public Stmt {
public:
  For(const StmtInfo &info, const Var *var, const Expr *min, const Expr *extent, ForKind forKind,
      const Stmt *body, const Pipeline *pipeline = nullptr)
      : Stmt(StmtKind::For, info), var(var), min(min), extent(extent), forKind(forKind), body(body),
        pipeline(pipeline) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::For; }

  const Var *var; // runs over [min, min + extent)
  const Expr *min;
  const Expr *extent; // iterations; <= 0 means none; fewer run where a Break says so
  ForKind forKind;
  const Stmt *body;
  const Pipeline *pipeline; // null unless the kernel asked for one
};

// T.Parallel: an element-wise nest whose iterations are spread over the threads of the block.
class Parallel : public Stmt {
public:
  Parallel(const StmtInfo &info, llvm::ArrayRef<const Var *> vars, ExprList extents,
           const Stmt *body, int64_t coalescedWidth = 0, const Layout *layout = nullptr,
           bool isAsync = false, ExprList written = {})
      : Stmt(StmtKind::Parallel, info), vars(vars), extents(extents), body(body),
        coalescedWidth(coalescedWidth), layout(layout), isAsync(isAsync), written(written) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Parallel; }

  llvm::ArrayRef<const Var *> vars; // each from 0
  ExprList extents;
  const Stmt *body;
  int64_t coalescedWidth; // elements, 0: free
  const Layout *layout;   // Fragment over the iteration space; set by infer-layouts
  bool isAsync;           // its stores may be asynchronous copies (core/analysis/select_gather.h)
  // Extents that the launch or memory gives, where `extents` are those of tiles instead and the
  // body has a condition: they must not be larger. Empty: `extents` are those of the kernel.
  ExprList written;
};

class If : public Stmt {
public:
  If(const StmtInfo &info, const Expr *condition, const Stmt *thenBody, const Stmt *elseBody)
      : If(StmtKind::If, info, condition, thenBody, elseBody) {}
  static bool classof(const Stmt *stmt) {
    return stmt->kind() == StmtKind::If || stmt->kind() == StmtKind::Role;
  }

  const Expr *condition;
  const Stmt *thenBody;
  const Stmt *elseBody; // may be null

protected:
  If(StmtKind kind, const StmtInfo &info, const Expr *condition, const Stmt *thenBody,
     const Stmt *elseBody)
      : Stmt(kind, info), condition(condition), thenBody(thenBody), elseBody(elseBody) {}
};

inline constexpr int64_t WarpGroupThreads = 128;

// What threads [firstThread, firstThread + threads) of the block do while others do something
// else; those skip it, and nobody waits for anybody where it begins or ends. Tile operations in it
// are of its threads together, which count from its first. To who asks for nothing but the thread
// it is an If without else. Build with Builder::role; roles do not nest.
class Role : public If {
public:
  Role(const StmtInfo &info, const Expr *condition, const Stmt *body, const Var *threadVar,
       int64_t firstThread, int64_t threads, int64_t registers, llvm::StringRef name)
      : If(StmtKind::Role, info, condition, body, nullptr), threadVar(threadVar),
        firstThread(firstThread), threads(threads), registers(registers), name(name) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Role; }

  int64_t endThread() const { return firstThread + threads; }

  const Var *threadVar; // of the launch
  int64_t firstThread;  // whole warps; with registers whole warp groups
  int64_t threads;
  int64_t registers;    // that a thread has from here on (setmaxnreg); 0: it stays as it is
  llvm::StringRef name; // "load", "math"; for people only, may be empty
};

// No iteration of the innermost loop around it follows the one that gets here; the rest of that one
// runs. So what stands behind it in a kernel is in the other side of an `if`, and what a pass adds
// at the end of a loop's body runs in the last iteration too. Inside of a Parallel it ends loops of
// the nest only.
class Break : public Stmt {
public:
  explicit Break(const StmtInfo &info) : Stmt(StmtKind::Break, info) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Break; }
};

// `var = value`, visible to the statements after it in the same Seq (and in their bodies).
class Bind : public Stmt {
public:
  Bind(const StmtInfo &info, const Var *var, const Expr *value)
      : Stmt(StmtKind::Bind, info), var(var), value(value) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Bind; }

  const Var *var;
  const Expr *value;
};

class Store : public Stmt {
public:
  Store(const StmtInfo &info, BufferId buffer, const Expr *slot, ExprList indices,
        const Expr *value)
      : Stmt(StmtKind::Store, info), buffer(buffer), slot(slot), indices(indices), value(value) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Store; }

  BufferId buffer;
  const Expr *slot; // null unless the buffer has versions
  ExprList indices;
  const Expr *value; // of the buffer's type
};

struct Range {
  const Expr *min = nullptr;
  const Expr *extent = nullptr;
};

// A box of a buffer, in logical coordinates. Below Launch after lowering it is what one thread
// touches; the region of the statement is the union over threads.
struct BufferRegion {
  BufferId buffer;
  const Expr *slot = nullptr; // null unless the buffer has versions
  llvm::ArrayRef<Range> ranges;
  Span span;
};

// A tile or device operation, declared in ops.def. Operands are regions, in the order that OpInfo
// declares; scalar arguments are expressions (null where optional and absent); attributes are
// constants. Build with `makeOp` (core/ir/build.h).
class OpStmt : public Stmt {
public:
  OpStmt(const StmtInfo &info, Op op, llvm::ArrayRef<BufferRegion> regions, ExprList args,
         llvm::ArrayRef<int64_t> attrs)
      : Stmt(StmtKind::Op, info), op(op), regions(regions), args(args), attrs(attrs) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Op; }

  const OpInfo &opInfo() const { return infoOf(op); }
  const OperandInfo &operand(size_t index) const;
  // Value of an attribute that the op declares (asserts that it does).
  int64_t attr(Attr name) const { return attrs[opInfo().indexOf(name)]; }

  Op op;
  llvm::ArrayRef<BufferRegion> regions;
  ExprList args;
  llvm::ArrayRef<int64_t> attrs; // one for each of OpInfo::attrs
};

// How blockIdx is mapped to tiles (T.use_swizzle): panels of `panelSize` tiles for L2 locality.
struct BlockRaster {
  int64_t panelSize = 0; // 0: none
  bool columnMajor = false;
};

// T.Kernel: one device kernel. Below it code is SPMD over `grid` and `thread`.
class Launch : public Stmt {
public:
  Launch(const StmtInfo &info, llvm::ArrayRef<const Var *> blockVars, ExprList gridExtents,
         const Var *threadVar, int64_t threads, const Stmt *body, BlockRaster raster = {},
         int64_t minBlocks = 0, llvm::ArrayRef<int64_t> cluster = {})
      : Stmt(StmtKind::Launch, info), blockVars(blockVars), gridExtents(gridExtents),
        threadVar(threadVar), threads(threads), body(body), raster(raster), minBlocks(minBlocks),
        cluster(cluster) {}
  static bool classof(const Stmt *stmt) { return stmt->kind() == StmtKind::Launch; }

  llvm::ArrayRef<const Var *> blockVars; // x, y, z: one to three
  ExprList gridExtents;                  // may be symbolic
  const Var *threadVar;                  // [0, threads)
  int64_t threads;
  const Stmt *body;
  BlockRaster raster;
  int64_t minBlocks = 0; // that one multiprocessor is to hold; 0: nothing is asked
  // Blocks in x, y, z that run together; empty: each block stands alone.
  llvm::ArrayRef<int64_t> cluster;
};

// Blocks of one cluster that every GPU with clusters can hold (CUDA C++ Programming Guide, "Thread
// Block Clusters").
inline constexpr int64_t MaxBlocksOfCluster = 8;

} // namespace tilescope
