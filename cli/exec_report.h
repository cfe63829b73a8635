// What `exec` prints, as JSON and as text.
#pragma once

#include "core/json/archive.h"
#include "core/run/pass_execution.h"

namespace tilescope {

struct ExecReport {
  // Of the kernel, or of IR text without one.
  struct Place {
    int64_t line = 0;
    std::string source;

    friend bool operator==(const Place &, const Place &) = default;
  };
  struct Finding {
    std::string kind;
    std::string text;
    std::optional<Place> place;
    std::optional<Place> other; // of a race or a copy in flight: what it met
    int64_t block = 0;
    std::optional<int64_t> thread; // nullopt: all threads together
    int64_t count = 0;
  };
  // Numbers that are not finite are null: JSON has no infinity and no NaN.
  struct Difference {
    std::string tensor;
    std::vector<int64_t> index;
    std::optional<double> got;
    std::optional<double> expected;
    int64_t count = 0;
    std::string written;
    std::optional<Place> place;
  };
  // A statement that a wrong value comes from, and that the pass changed.
  struct Origin {
    std::string text;
    std::optional<Place> place;
  };
  struct Stage {
    std::string pass;
    bool patched = false;
    std::string verdict;
    std::string comparedWith;
    bool exact = false;
    std::string notRun;
    std::vector<Difference> differences;
    std::vector<Finding> findings;
    std::vector<std::string> change;
    std::vector<Origin> origins; // nearest first
    int64_t otherOrigins = 0;    // farther away
    int64_t blocks = 0;          // that were run
    int64_t gridBlocks = 0;      // that there are
    double milliseconds = 0;
  };
  std::string kernel;
  std::string target;
  std::string verdict;
  std::string firstWrong; // the pass; "": none
  std::vector<Stage> stages;
};

template <typename Archive> void fields(Archive &archive, ExecReport::Place &place) {
  archive.always("line", place.line);
  archive.always("source", place.source);
}

template <typename Archive> void fields(Archive &archive, ExecReport::Finding &finding) {
  archive.always("kind", finding.kind);
  archive.always("text", finding.text);
  archive("place", finding.place);
  archive("other", finding.other);
  archive.always("block", finding.block);
  archive("thread", finding.thread);
  archive.always("count", finding.count);
}

template <typename Archive> void fields(Archive &archive, ExecReport::Difference &difference) {
  archive.always("tensor", difference.tensor);
  archive.always("index", difference.index);
  archive.always("got", difference.got);
  archive.always("expected", difference.expected);
  archive.always("count", difference.count);
  archive("written", difference.written);
  archive("place", difference.place);
}

template <typename Archive> void fields(Archive &archive, ExecReport::Origin &origin) {
  archive.always("text", origin.text);
  archive("place", origin.place);
}

template <typename Archive> void fields(Archive &archive, ExecReport::Stage &stage) {
  archive.always("pass", stage.pass);
  archive("patched", stage.patched);
  archive.always("verdict", stage.verdict);
  archive("comparedWith", stage.comparedWith);
  archive.always("exact", stage.exact);
  archive("notRun", stage.notRun);
  archive.always("differences", stage.differences);
  archive.always("findings", stage.findings);
  archive("change", stage.change);
  archive("origins", stage.origins);
  archive("otherOrigins", stage.otherOrigins);
  archive("blocks", stage.blocks);
  archive("gridBlocks", stage.gridBlocks);
  archive.always("milliseconds", stage.milliseconds);
}

template <typename Archive> void fields(Archive &archive, ExecReport &report) {
  archive.always("kernel", report.kernel);
  archive.always("target", report.target);
  archive.always("verdict", report.verdict);
  archive("firstWrong", report.firstWrong);
  archive.always("stages", report.stages);
}

ExecReport execReportOf(const CompileResult &compiled, llvm::ArrayRef<StageResult> results);
void printStage(const CompileResult &compiled, const StageResult &stage, llvm::raw_ostream &out);

} // namespace tilescope
