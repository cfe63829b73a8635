// Prints one device function: statements, expressions, and names of buffers. The files in emit/
// print one device operation each with it.
#pragma once

#include "core/codegen/cuda_emitter.h"
#include "core/codegen/cuda_names.h"
#include "core/codegen/index_bounds.h"
#include "core/codegen/prelude.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallString.h"

#include <map>

namespace tilescope {

// A line of the emitted text, before it is broken to the column limit.
struct CudaTextLine {
  std::string text;
  StmtId stmt;
  Span span;
  std::vector<BufferId> buffers; // shared buffers that it names
};

// What all functions of a module share.
struct CudaModuleState {
  Context *context;
  const Target &target;
  const SourceFiles &files;
  const CudaOptions &options;
  HelperSet helpers;
  NameScope names; // of the file
};

class CudaWriter {
public:
  CudaWriter(CudaModuleState &state, const Function &function, const LaunchRecord &launch);

  // Index helpers, kernel and launcher, in this order.
  std::vector<CudaTextLine> print();

  // --- for emit/<op>.cpp ---
  const Function &function() const { return function_; }
  const Target &target() const { return state_.target; }
  const Buffer &buffer(BufferId id) const { return function_.buffer(id); }
  void use(Helper helper);
  // The name of a helper that is now used.
  std::string call(Helper helper);
  // One line that stands for the statement being printed.
  void line(std::string text);
  void openBlock(std::string head); // "head {", indents
  void closeBlock();
  // A value of the expression's type.
  std::string value(const Expr *expr);
  // A condition; "" for null, which means "true".
  std::string condition(const Expr *expr);
  // Pointer to the first element of a region.
  std::string address(const BufferRegion &region);
  // One element, as a value to read. Four-bit elements are unpacked.
  std::string element(BufferId buffer, const Expr *slot, ExprList indices);
  std::string element(const BufferRegion &region);
  // The statement that writes what `text` computes to one element. Four-bit elements are packed.
  std::string assignment(BufferId buffer, const Expr *slot, ExprList indices,
                         const std::string &text);
  std::string assignment(const BufferRegion &region, const std::string &text);
  // A name that clashes with nothing in scope.
  std::string localName(llvm::StringRef wanted) { return names_.declare(wanted); }

private:
  // Text of an expression with how tightly it binds; `wide`: its C++ type has 64 bits.
  struct Text {
    std::string text;
    int precedence;
    bool wide = false;
  };
  enum class Width : uint8_t { OfType, Index }; // Index: 64 bits wherever 32 might overflow

  // cuda_expr.cpp
  Text print(const Expr *expr, Width width);
  Text printBinary(const Binary &binary, Width width);
  Text printOperand(const Expr *expr, Width width);
  Text rounded(Text text, DType dtype);
  void useHeaderOf(DType dtype);
  std::string valueType(DType dtype);
  std::string literal(const FloatImm &imm);
  std::string withoutRange(const Expr *expr);
  std::string inRange(DType dtype, const std::string &text);
  Text printArithmetic(const Binary &binary, Width width);
  Text printFloor(const Binary &binary, Width width);
  Text printExtremum(const Binary &binary, Width width);
  Text printCast(const Cast &cast, Width width);
  Text printMath(const Math &math);
  Text printLoad(const Load &load);
  Text printFloat(const FloatImm &imm);
  Text printInt(const IntImm &imm);
  std::string index(const Expr *expr);
  Text wrapped(std::string text, const Expr *expr, Width width);
  static std::string inParentheses(const Text &text, int atLeast);

  // cuda_buffers.cpp
  void declareBuffers();
  void declareShared(const Buffer &buffer);
  std::string beginText(const Buffer &buffer);
  std::string slotElementsText(const Buffer &buffer);
  void declareRegisters(const Buffer &buffer);
  std::vector<std::string> sharedComment(const Buffer &buffer);
  std::string sharesText(const Buffer &buffer);
  std::string accessLinesText(const Buffer &buffer);
  void declareConstantSlots(const Buffer &buffer);
  void declareSlotPointers(llvm::ArrayRef<const Stmt *> stmts);
  bool choosesSlots(const Var &var) const { return slotVars_.contains(var.id.value); }
  std::string slotPointerName(const Buffer &buffer, const Expr *slot);
  std::string baseName(const Buffer &buffer, const Expr *slot);
  std::string assignment(const Buffer &target, const std::string &base, const std::string &place,
                         const std::string &text);
  std::string physicalIndex(const Buffer &buffer, ExprList indices);
  std::string swizzledIndex(const Buffer &buffer, ExprList indices);
  std::string swizzleFunction(const Buffer &buffer);
  std::string permutedIndex(const Buffer &buffer, ExprList indices);
  std::string permutationFunction(const Buffer &buffer);
  const Expr *linearIndex(const Buffer &buffer, ExprList indices);
  const Expr *indexBinary(BinaryOp op, const Expr *lhs, const Expr *rhs);
  void collectUses();

  // cuda_stmt.cpp
  void printKernel();
  void printSignature();
  void declareParameters();
  void declareLaunchVars(const Launch &launch);
  void printStmt(const Stmt *stmt);
  void printStmts(StmtList stmts);
  void printFor(const For &loop);
  void printIf(const If &stmt);
  void printBind(const Bind &bind);
  void printStore(const Store &store);
  void commentOn(const Stmt &stmt);
  std::string declareVar(const Var *var, Interval interval);
  bool inScope(const Expr *expr) const;
  // "[[maybe_unused]] " if nothing reads the variable: a warning would be an error.
  llvm::StringRef unusedMark(const Var *var) const;
  bool isPlainSum(const Binary &binary) const;

  // cuda_launcher.cpp
  void printLauncher();
  void printChecks();
  void printGrid();
  std::string printSharedBytes();

  void blankLine() { lines_.push_back({}); }

  CudaModuleState &state_;
  const Function &function_;
  const Launch &launch_;
  const LaunchRecord &record_;
  IndexBounds bounds_;
  NameScope names_;
  std::vector<CudaTextLine> lines_;
  std::vector<CudaTextLine> indexHelpers_;
  int indent_ = 0;
  const Stmt *current_ = nullptr;
  StmtId anchor_;                     // of the last comment
  std::vector<BufferId> namedShared_; // since the last line
  std::string kernelName_;

  llvm::DenseMap<uint32_t, std::string> varNames_;
  llvm::DenseSet<uint32_t> wideVars_;
  std::map<BufferId, std::string> bufferNames_;
  std::map<BufferId, std::string> strideNames_; // from one version to the next, in elements
  std::map<BufferId, std::string> placeNames_;  // functions from coordinates to places
  // Pointers to slots that are in scope: by buffer and printed slot expression.
  std::map<std::pair<BufferId, std::string>, std::string> slotNames_;
  llvm::DenseSet<uint32_t> usedVars_;
  llvm::DenseSet<uint32_t> computedSlots_;   // shared buffers of which a slot is computed
  llvm::DenseSet<uint32_t> slotVars_;        // that choose a slot of a shared buffer
  llvm::DenseSet<uint32_t> accessed_;        // buffers
  llvm::DenseSet<uint32_t> accessedAsWords_; // local buffers that are moved in words
  std::map<BufferId, std::vector<int64_t>> constantSlots_;
  std::map<BufferId, std::vector<uint32_t>> accessLines_; // kernel lines
};

// Prints an operation that exists after lowering; dispatch is generated from ops.def.
void emitOp(const OpStmt &op, CudaWriter &writer);

// The end of the last buffer that the plan placed; what is sized at launch comes above.
int64_t plannedBytes(const Function &function);
// The parameters of the kernel: those of the function, then the workspaces that it allocates in
// global memory.
llvm::SmallVector<Param> kernelParams(const Function &function);
// The launch at the top of a device function.
const Launch &launchOf(const Function &function);

} // namespace tilescope
