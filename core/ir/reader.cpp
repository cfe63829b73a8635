#include "core/ir/reader.h"

#include "core/ir/read_function.h"
#include "core/ir/text_form.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// Ids in the text are kept, so fresh ones must be larger, also for what stands before them.
void reserveIds(Context &context, const ast::Module &text, FileId kernel) {
  for (const ast::Comment &comment : text.comments) {
    llvm::StringRef content = comment.text;
    std::optional<Tag> tag =
        content.consume_front(TagMark) ? parseTag(content, kernel) : std::nullopt;
    if (!tag)
      continue;
    for (const std::optional<StmtInfo> &info : {tag->stmt, tag->body})
      for (StmtId id : {info ? info->id : StmtId(), info ? info->anchor : StmtId(),
                        info ? info->origin : StmtId()})
        if (id.isValid())
          context.reserve(id);
    for (BufferId id : {tag->buffer.value_or(BufferId()), tag->bufferOrigin})
      if (id.isValid())
        context.reserve(id);
    for (const TaggedVar &var : tag->vars)
      context.reserve(var.id);
  }
}

bool checkFirstLine(FileId file, const SourceFiles &files, Diagnostics &diagnostics) {
  llvm::StringRef line = files.lineText(file, 1);
  llvm::StringRef mark = IrTextFirstLine.rsplit(' ').first;
  Span span{file, 1, 1, 1, static_cast<uint32_t>(line.size()) + 1};
  if (!line.consume_front(mark)) {
    diagnostics.report(DiagId::NotIrText, span);
    return false;
  }
  if (line.trim() == IrTextFirstLine.rsplit(' ').second)
    return true;
  diagnostics.report(DiagId::UnknownIrVersion, span, line.trim());
  return false;
}

// "T.module(fast_math=True)"
void readModuleLine(const ast::Stmt &stmt, Module &module, Diagnostics &diagnostics) {
  const auto *line = llvm::dyn_cast<ast::ExprStmt>(&stmt);
  const ast::CallExpr *call = line ? asCallOfT(line->value) : nullptr;
  if (!call || nameInT(call->callee) != "module") {
    diagnostics.report(DiagId::IrExpected, stmt.span, "a function");
    return;
  }
  CallArgs args(*call, diagnostics);
  module.fastMath = args.takeBool("fast_math", false);
  module.disableThreadStorageSync = args.takeBool("disable_thread_storage_sync", false);
  args.finish();
}

} // namespace

const Module *readModule(Context &context, FileId file, const SourceFiles &files,
                         Diagnostics &diagnostics, FileId kernel, TaggedPlaces places) {
  unsigned errorsBefore = diagnostics.errorCount();
  if (!checkFirstLine(file, files, diagnostics))
    return nullptr;
  std::unique_ptr<ast::Module> text = parseModule(file, files, diagnostics);
  // What a statement left out would have declared is not reported as unknown.
  if (!text || diagnostics.errorCount() != errorsBefore)
    return nullptr;
  reserveIds(context, *text, kernel);
  Module module;
  module.context = &context;
  ModuleReading reading{context, diagnostics, *text, kernel, places, {}};
  llvm::SmallVector<const Function *> functions;
  for (const ast::Stmt *stmt : text->body) {
    if (const auto *def = llvm::dyn_cast<ast::FunctionDefStmt>(stmt))
      functions.push_back(FunctionReader(reading).read(*def));
    else
      readModuleLine(*stmt, module, diagnostics);
  }
  if (diagnostics.errorCount() != errorsBefore)
    return nullptr;
  module.functions = context.copy<const Function *>(functions);
  return context.make<Module>(module);
}

bool looksLikeIr(llvm::StringRef text) {
  return text.starts_with(IrTextFirstLine.rsplit(' ').first);
}

bool isTaggedIr(llvm::StringRef text) { return looksLikeIr(text) && text.contains(TagMark); }

} // namespace tilescope
