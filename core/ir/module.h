// Buffers, functions, modules.
#pragma once

#include "core/ir/stmt.h"

#include <optional>

namespace tilescope {

enum class Scope : uint8_t {
  Global,
  Shared,       // dynamic shared memory: lives in the arena
  SharedStatic, // a static __shared__ array of its own
  Fragment,     // block-level register tile; `layout` spreads it over threads
  Local,        // registers of one thread (array)
  LocalVar,     // one mutable scalar of a thread
};

// In the shared memory of the block, whether in the arena or in an array of its own.
inline bool isShared(Scope scope) { return scope == Scope::Shared || scope == Scope::SharedStatic; }
// Threads see what others write there.
inline bool isMemory(Scope scope) { return scope == Scope::Global || isShared(scope); }

llvm::StringRef nameOf(Scope scope); // "global", "shared.dyn", "shared", "local.fragment", ...

// The declaration of a buffer. Passes edit the table of the function, never the uses.
class Buffer {
public:
  BufferId id;
  llvm::StringRef name; // unique in its function, e.g. "A_shared_1"
  // Identity across compiles: function, source name and ordinal among equal source names; for a
  // buffer that a pass made, `role` says which part of which op it serves ("" for the kernel's
  // own).
  llvm::StringRef sourceName;
  int64_t ordinal = 0;
  llvm::StringRef role;

  DType dtype;
  ExprList shape; // elements, logical; without the version dimension
  Scope scope = Scope::Global;
  int64_t versions = 1; // > 1: every access names a slot
  // Address layout or fragment layout; set by infer-layouts (or pinned by the kernel) and nowhere
  // else. null: not decided; row major for Global. After lower-tile-ops a fragment has scope Local,
  // shape {registers of a thread}, keeps its Fragment layout, and is indexed by register.
  const Layout *layout = nullptr;
  bool layoutPinned = false;
  std::optional<int64_t> offsetBytes; // in the arena; set by merge-shared-memory
  // Instead of an offset, of a Shared buffer whose size is known at launch: the place in the stack
  // above the planned bytes (core/plan/launch_regions.h).
  std::optional<int64_t> launchRegion;
  // Global with explicit strides, or of a view, in elements; else empty.
  ExprList strides;
  BufferId origin; // made from this buffer
  // The same memory as that buffer's from its start, row major unless it has strides; valid until
  // views are resolved (core/ir/views.h), which no pass sees.
  BufferId viewOf;
  ExprList viewRow; // of a view: where its axes lie in the first axes of that buffer; else empty
  Span span;
};

// Constant shape, or nullopt if a dimension is symbolic.
std::optional<llvm::SmallVector<int64_t>> constantShape(const Buffer &buffer);
// Bytes of one version including layout padding; nullopt if symbolic.
std::optional<int64_t> versionBytes(const Buffer &buffer);

enum class Property : uint8_t {
  Tile,      // tile ops allowed
  Pipelined, // no loop asks for pipelining any more
  LayoutsInferred,
  Lowered, // no tile op is left
  BarriersPlaced,
  ArenaPlanned,  // every shared buffer has its offset; checkArena holds
  BarriersFinal, // checkHazards holds
};
llvm::StringRef nameOf(Property property); // kebab-case

class PropertySet {
public:
  bool has(Property property) const { return bits_ >> static_cast<unsigned>(property) & 1U; }
  PropertySet with(Property property) const { return PropertySet(bits_ | bit(property)); }
  PropertySet without(Property property) const { return PropertySet(bits_ & ~bit(property)); }
  PropertySet operator|(PropertySet other) const { return PropertySet(bits_ | other.bits_); }
  friend bool operator==(PropertySet, PropertySet) = default;

  constexpr PropertySet() = default;
  constexpr PropertySet(Property property) : bits_(bit(property)) {} // NOLINT: implicit by design

private:
  constexpr explicit PropertySet(uint32_t bits) : bits_(bits) {}
  static constexpr uint32_t bit(Property property) { return 1U << static_cast<unsigned>(property); }
  uint32_t bits_ = 0;
};

inline PropertySet operator|(Property a, Property b) { return PropertySet(a).with(b); }

// A parameter is a global buffer or a scalar.
struct Param {
  BufferId buffer;          // valid: a tensor
  const Var *var = nullptr; // else: a scalar (explicit, or a symbolic dimension of a tensor)
  bool isOutput = false;    // out_idx, or returned by an eager kernel
};

enum class FunctionKind : uint8_t {
  Host,   // as elaborated: may hold several launches
  Device, // after split-host-device: the body is one Launch
};

class Function {
public:
  llvm::StringRef name;
  FunctionKind functionKind = FunctionKind::Host;
  llvm::ArrayRef<Param> params;
  llvm::ArrayRef<const Buffer *> buffers; // parameters included; sorted by id
  const Stmt *body = nullptr;
  // CUDA of the kernel's author, that stands in front of the kernel: what calls of foreign code
  // call.
  llvm::ArrayRef<llvm::StringRef> foreignSources;
  PropertySet properties;
  // This function when its arena was planned: what the planner proved is known of that
  // (core/plan/arena_problem.h). null: no planner placed its buffers.
  const Function *asPlanned = nullptr;
  Span span;

  const Buffer &buffer(BufferId id) const; // asserts that it is there
  const Buffer *findBuffer(BufferId id) const;
};

class Module {
public:
  Context *context = nullptr;
  llvm::ArrayRef<const Function *> functions;
  // pass_configs of the kernel that change code generation
  bool fastMath = false;
  bool disableThreadStorageSync = false;
};

} // namespace tilescope
