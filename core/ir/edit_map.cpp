#include "core/ir/edit_map.h"

namespace tilescope {

namespace {

class Editor {
public:
  Editor(Context &context, const EditMap &edits) : builder_(context), edits_(edits) {}

  // Null if the statement is removed and nothing takes its place.
  const Stmt *apply(const Stmt *stmt) {
    auto found = edits_.find(stmt->id());
    if (found == edits_.end())
      return applyInside(stmt);
    const Edit &edit = found->second;
    llvm::SmallVector<const Stmt *> result(edit.before);
    if (!edit.remove)
      if (const Stmt *kept = applyInside(edit.replacement ? edit.replacement : stmt))
        result.push_back(kept);
    result.append(edit.after.begin(), edit.after.end());
    if (result.empty())
      return nullptr;
    return builder_.seq(builder_.fresh(stmt->span()), result);
  }

private:
  const Stmt *applyInside(const Stmt *stmt) {
    return mapChildren(builder_.context(), stmt, [&](const Stmt *child) { return apply(child); });
  }

  Builder builder_;
  const EditMap &edits_;
};

} // namespace

const Stmt *applyEdits(Context &context, const Stmt *root, const EditMap &edits) {
  if (edits.empty())
    return root;
  if (const Stmt *edited = Editor(context, edits).apply(root))
    return edited;
  Builder builder(context);
  return builder.seq(builder.fresh(root->span()), {});
}

} // namespace tilescope
