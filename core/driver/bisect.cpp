#include "core/driver/bisect.h"

#include "core/driver/option_settings.h"
#include "core/driver/patched_pipeline.h"
#include "core/pass/pass_options.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <map>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral Improving[] = {"simplify", "vectorize"};

// Between a good and a bad one, those nearest to the middle first: what is skipped stands in no
// one's way.
class Search {
public:
  Search(size_t count, llvm::function_ref<llvm::Expected<BisectVerdict>(size_t)> ask)
      : last_(count - 1), ask_(ask) {}

  llvm::Expected<BisectOutcome> run() {
    llvm::Expected<BisectVerdict> lowest = askEnd(0);
    if (!lowest)
      return lowest.takeError();
    if (*lowest == BisectVerdict::Bad)
      return BisectOutcome{BisectOutcome::Kind::AlwaysFails, 0, {}};
    llvm::Expected<BisectVerdict> highest = askEnd(last_);
    if (!highest)
      return highest.takeError();
    if (*highest == BisectVerdict::Good)
      return BisectOutcome{BisectOutcome::Kind::NeverFails, 0, {}};
    return narrow();
  }

private:
  llvm::Expected<BisectVerdict> askEnd(size_t index) {
    llvm::Expected<BisectVerdict> verdict = ask_(index);
    if (verdict && *verdict == BisectVerdict::Skip)
      return llvm::createStringError(
          index == 0 ? "the first compile was skipped, so nothing is known to be good"
                     : "the last compile was skipped, so nothing is known to be bad");
    return verdict;
  }

  llvm::Expected<BisectOutcome> narrow() {
    size_t good = 0, bad = last_;
    std::map<size_t, bool> isSkipped;
    while (std::optional<size_t> next = nearestToMiddle(good, bad, isSkipped)) {
      llvm::Expected<BisectVerdict> verdict = ask_(*next);
      if (!verdict)
        return verdict.takeError();
      if (*verdict == BisectVerdict::Skip)
        isSkipped[*next] = true;
      else
        (*verdict == BisectVerdict::Good ? good : bad) = *next;
    }
    BisectOutcome outcome{BisectOutcome::Kind::Found, bad, {}};
    for (size_t index = good + 1; index < bad; ++index)
      outcome.skipped.push_back(index);
    return outcome;
  }

  static std::optional<size_t> nearestToMiddle(size_t good, size_t bad,
                                               const std::map<size_t, bool> &isSkipped) {
    size_t middle = good + (bad - good) / 2;
    for (size_t distance = 0; distance < bad - good; ++distance) {
      if (middle + distance < bad && middle + distance > good &&
          !isSkipped.count(middle + distance))
        return middle + distance;
      if (middle > good + distance && !isSkipped.count(middle - distance))
        return middle - distance;
    }
    return std::nullopt;
  }

  size_t last_;
  llvm::function_ref<llvm::Expected<BisectVerdict>(size_t)> ask_;
};

llvm::Expected<std::vector<PassInstance>> pipelineOf(const CompileRequest &request) {
  std::string text;
  if (request.passes) {
    text = *request.passes;
  } else {
    llvm::Expected<const Target *> target = findTarget(request.target);
    if (!target)
      return target.takeError();
    text = defaultPipeline(**target);
  }
  return parsePassPipeline(text, passesFor(request));
}

// Drops the passes of these places, also out of groups.
void drop(std::vector<PassInstance> &pipeline, llvm::ArrayRef<std::string> places,
          llvm::StringMap<size_t> &runs) {
  std::erase_if(pipeline, [&](PassInstance &instance) {
    drop(instance.nested, places, runs);
    std::string place = placeName(instance.name, runs[instance.name]++);
    return instance.info && llvm::is_contained(places, place);
  });
}

void collectPlaces(llvm::ArrayRef<PassInstance> pipeline, llvm::StringMap<size_t> &runs,
                   std::vector<std::string> &places) {
  for (const PassInstance &instance : pipeline) {
    collectPlaces(instance.nested, runs, places);
    std::string place = placeName(instance.name, runs[instance.name]++);
    if (instance.info)
      places.push_back(std::move(place));
  }
}

llvm::Expected<std::vector<std::string>> placesOf(const CompileRequest &request) {
  llvm::Expected<std::vector<PassInstance>> pipeline = pipelineOf(request);
  if (!pipeline)
    return pipeline.takeError();
  std::vector<std::string> places;
  llvm::StringMap<size_t> runs;
  collectPlaces(*pipeline, runs, places);
  return places;
}

} // namespace

llvm::Expected<BisectOutcome>
bisect(size_t count, llvm::function_ref<llvm::Expected<BisectVerdict>(size_t)> ask) {
  return Search(count, ask).run();
}

std::vector<std::string> improvingPasses(const CompileRequest &request) {
  llvm::Expected<std::vector<std::string>> places = placesOf(request);
  if (!places) {
    llvm::consumeError(places.takeError());
    return {};
  }
  llvm::erase_if(*places, [](llvm::StringRef place) {
    return !llvm::is_contained(Improving, place.split('#').first);
  });
  return std::move(*places);
}

llvm::Expected<BisectCompiles>
BisectCompiles::make(CompileRequest request, const std::vector<std::string> &optionalPasses) {
  llvm::Expected<std::vector<std::string>> places = placesOf(request);
  if (!places)
    return places.takeError();
  for (const std::string &pass : optionalPasses)
    if (!llvm::is_contained(*places, pass))
      return llvm::createStringError(
          "no pass '" + pass +
          "' runs here that could be left out; there are: " + llvm::join(*places, ", "));
  BisectCompiles compiles;
  for (const std::string &place : *places)
    if (llvm::is_contained(optionalPasses, place))
      compiles.steps_.push_back(place);
  std::vector<std::string> passSteps = compiles.steps_;
  for (const auto &[name, value] : request.passOptions)
    compiles.steps_.push_back((llvm::Twine(name) + "=" + value).str());
  for (size_t index = 0; index <= compiles.steps_.size(); ++index) {
    llvm::Expected<std::vector<PassInstance>> pipeline = pipelineOf(request);
    if (!pipeline)
      return pipeline.takeError();
    // Places are those of the whole pipeline, so options are set before passes are dropped.
    size_t options = index > passSteps.size() ? index - passSteps.size() : 0;
    if (llvm::Error error =
            applyPassOptions(*pipeline, llvm::ArrayRef(request.passOptions).take_front(options)))
      return error;
    llvm::StringMap<size_t> runs;
    drop(*pipeline, llvm::ArrayRef(passSteps).drop_front(std::min(index, passSteps.size())), runs);
    compiles.pipelines_.push_back(printPassPipeline(*pipeline));
  }
  request.passOptions.clear();
  compiles.request_ = std::move(request);
  return compiles;
}

CompileRequest BisectCompiles::request(size_t index) const {
  CompileRequest request = request_;
  request.passes = pipelines_[index];
  return request;
}

} // namespace tilescope
