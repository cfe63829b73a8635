#include "core/driver/patched_pipeline.h"

#include "core/ir/build.h"
#include "core/ir/printer.h"
#include "core/ir/reader.h"
#include "core/support/unified_diff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral PlaceBeforePasses = "elaborate";

// Of a whole line.
Span spanOf(FileId file, size_t line, const SourceFiles &files) {
  auto number = static_cast<uint32_t>(line);
  auto length = static_cast<uint32_t>(files.lineText(file, number).size());
  return {file, number, 1, number, length + 1};
}

// One diff of a patch.
struct PlacedDiff {
  FileDiff diff;
  FileId file; // the patch
  std::string place;
};

// Prints the module as tagged text, carries out a diff, and reads the text back. Ids that the text
// keeps stay what they are, so a buffer or statement that was not edited is the same one.
class PatchPass : public Pass {
public:
  PatchPass(const PlacedDiff &placed, FileId kernel, SourceFiles &files)
      : placed_(placed), kernel_(kernel), files_(files) {}

  const Module *run(const Module &module, PassContext &context) override {
    std::string before = printModule(module, /*tagged=*/true);
    llvm::Expected<std::string> after = applyDiff(placed_.diff, before);
    if (!after) {
      report(after.takeError(), before, context.diagnostics);
      return nullptr;
    }
    FileId file = files_.add("after " + placed_.place + ", patched", std::move(*after));
    const Module *edited = readModule(context.context, file, files_, context.diagnostics, kernel_);
    return edited ? asPlannedBefore(*edited, module, context.context) : nullptr;
  }

private:
  // Text does not say what the planner proved.
  static const Module *asPlannedBefore(const Module &edited, const Module &before,
                                       Context &context) {
    llvm::SmallVector<const Function *> functions(edited.functions);
    for (const Function *&function : functions)
      for (const Function *old : before.functions)
        if (old->name == function->name && old->asPlanned) {
          Function planned = *function;
          planned.asPlanned = old->asPlanned;
          function = context.make<Function>(planned);
        }
    return withFunctions(edited, functions);
  }

  void report(llvm::Error error, const std::string &before, Diagnostics &diagnostics) {
    llvm::handleAllErrors(std::move(error), [&](const DiffError &misfit) {
      Span span = spanOf(placed_.file, misfit.line, files_);
      Diagnostic &diagnostic =
          diagnostics.report(DiagId::PatchMisfit, span, placed_.place, misfit.text);
      if (misfit.textLine == 0)
        return;
      FileId text = files_.add("after " + placed_.place, before);
      diagnostic.note(spanOf(text, misfit.textLine, files_), "this is there");
    });
  }

  PlacedDiff placed_;
  FileId kernel_;
  SourceFiles &files_;
};

class PatchedPipeline {
public:
  PatchedPipeline(const PatchedInput &input, SourceFiles &files, Diagnostics &diagnostics)
      : input_(input), files_(files), diagnostics_(diagnostics) {}

  bool build(std::vector<PassInstance> &pipeline) {
    places_.push_back(PlaceBeforePasses.str());
    collectPlaces(pipeline);
    for (const Patch &patch : input_.patches)
      readPatch(patch);
    if (diagnostics_.hasErrors() || !checkStop())
      return false;
    nextPlace_ = places_.begin();
    std::vector<PassInstance> patched;
    addPatches(patched);
    move(pipeline, patched);
    pipeline = std::move(patched);
    return true;
  }

private:
  // In the order in which passes end.
  void collectPlaces(llvm::ArrayRef<PassInstance> pipeline) {
    for (const PassInstance &instance : pipeline) {
      collectPlaces(instance.nested);
      places_.push_back(placeName(instance.name, runs_[instance.name]++));
    }
  }

  bool isPlace(llvm::StringRef place) const { return llvm::is_contained(places_, place); }

  void readPatch(const Patch &patch) {
    FileId file = files_.add(patch.file, patch.text);
    llvm::Expected<std::vector<FileDiff>> diffs = parseUnifiedDiff(patch.text);
    if (diffs) {
      for (FileDiff &diff : *diffs)
        place(std::move(diff), file);
      return;
    }
    llvm::handleAllErrors(diffs.takeError(), [&](const DiffError &error) {
      diagnostics_.report(DiagId::PatchUnreadable, spanOf(file, error.line, files_), error.text);
    });
  }

  void place(FileDiff diff, FileId file) {
    Span span = spanOf(file, diff.line, files_);
    llvm::StringRef place = diff.oldName;
    if (!place.consume_front("after ") || diff.newName != diff.oldName) {
      std::string text = "both file names of a diff are 'after PASS', not '" + diff.oldName +
                         "' and '" + diff.newName + "'";
      diagnostics_.report(DiagId::PatchUnreadable, span, text);
      return;
    }
    place = place.trim();
    place.consume_back("#1");
    if (isPlace(place))
      diffs_.push_back({std::move(diff), file, place.str()});
    else
      diagnostics_.report(DiagId::PatchWithoutPass, span, place, llvm::join(places_, ", "));
  }

  bool checkStop() {
    if (input_.stopAfter.empty() || isPlace(input_.stopAfter))
      return true;
    diagnostics_.report(DiagId::InvalidRequest, Span(),
                        "no pass '" + input_.stopAfter +
                            "' to stop after; there are: " + llvm::join(places_, ", "));
    return false;
  }

  // Moves the instances over, with their patches; stops where the pipeline ends.
  void move(std::vector<PassInstance> &from, std::vector<PassInstance> &to) {
    for (PassInstance &instance : from) {
      if (isCut_)
        return;
      std::vector<PassInstance> nested;
      move(instance.nested, nested);
      instance.nested = std::move(nested);
      to.push_back(std::move(instance));
      if (!isCut_)
        addPatches(to);
    }
  }

  void addPatches(std::vector<PassInstance> &to) {
    const std::string &place = *nextPlace_++;
    for (const PlacedDiff &placed : diffs_)
      if (placed.place == place)
        to.push_back({&Info,
                      std::make_unique<PatchPass>(placed, input_.kernel, files_),
                      files_.get(placed.file).path,
                      PatchPassName.str(),
                      {}});
    isCut_ = place == input_.stopAfter;
  }

  static constexpr PassInfo Info{PatchPassName, {}, "", nullptr};

  const PatchedInput &input_;
  SourceFiles &files_;
  Diagnostics &diagnostics_;
  llvm::StringMap<size_t> runs_;
  std::vector<std::string> places_;
  std::vector<std::string>::const_iterator nextPlace_;
  std::vector<PlacedDiff> diffs_;
  bool isCut_ = false;
};

} // namespace

std::string placeName(llvm::StringRef pass, size_t runsBefore) {
  return runsBefore == 0 ? pass.str() : pass.str() + "#" + std::to_string(runsBefore + 1);
}

bool patchPipeline(std::vector<PassInstance> &pipeline, const PatchedInput &input,
                   SourceFiles &files, Diagnostics &diagnostics) {
  if (input.patches.empty() && input.stopAfter.empty())
    return true;
  return PatchedPipeline(input, files, diagnostics).build(pipeline);
}

} // namespace tilescope
