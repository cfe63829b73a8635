#include "core/driver/option_settings.h"

#include "core/driver/patched_pipeline.h"
#include "core/pass/pass_options.h"
#include "core/support/nearest_name.h"
#include "passes/registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tilescope {

namespace {

struct PlacedPass {
  std::string place;
  PassInstance *instance; // no group
};

void collectPasses(llvm::MutableArrayRef<PassInstance> pipeline, llvm::StringMap<size_t> &runs,
                   std::vector<PlacedPass> &passes) {
  for (PassInstance &instance : pipeline) {
    collectPasses(instance.nested, runs, passes);
    std::string place = placeName(instance.name, runs[instance.name]++);
    if (instance.info)
      passes.push_back({std::move(place), &instance});
  }
}

std::vector<PlacedPass> passesOf(llvm::MutableArrayRef<PassInstance> pipeline) {
  llvm::StringMap<size_t> runs;
  std::vector<PlacedPass> passes;
  collectPasses(pipeline, runs, passes);
  return passes;
}

} // namespace

llvm::Error applyPassOptions(llvm::MutableArrayRef<PassInstance> pipeline,
                             llvm::ArrayRef<std::pair<std::string, std::string>> settings) {
  if (settings.empty())
    return llvm::Error::success();
  std::vector<PlacedPass> passes = passesOf(pipeline);
  for (const auto &[name, value] : settings) {
    auto [place, option] = llvm::StringRef(name).split('.');
    auto found = llvm::find_if(passes, [&](const PlacedPass &pass) { return pass.place == place; });
    if (found == passes.end()) {
      std::vector<std::string> places;
      places.reserve(passes.size());
      for (const PlacedPass &pass : passes)
        places.push_back(pass.place);
      return llvm::createStringError("no pass '" + place + "' runs here to set '" + name +
                                     "' of; there are: " + llvm::join(places, ", ") +
                                     didYouMean(place, places));
    }
    if (llvm::Error error = setPassOption(*found->instance, option, value))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error checkPassOptions(const Target &target,
                             llvm::ArrayRef<std::pair<std::string, std::string>> settings) {
  llvm::Expected<std::vector<PassInstance>> pipeline =
      parsePassPipeline(defaultPipeline(target), allPasses());
  return pipeline ? applyPassOptions(*pipeline, settings) : pipeline.takeError();
}

std::vector<TraceParameter> passOptionsOf(llvm::MutableArrayRef<PassInstance> pipeline) {
  std::vector<TraceParameter> options;
  for (const PlacedPass &placed : passesOf(pipeline)) {
    std::unique_ptr<Pass> untouched = placed.instance->info->create();
    std::vector<PassOption> defaults = untouched->options();
    for (auto [option, byDefault] : llvm::zip_equal(placed.instance->pass->options(), defaults)) {
      TraceParameter parameter;
      parameter.name = placed.place + "." + option.name.str();
      parameter.type = typeName(option).str();
      parameter.value = valueText(option);
      parameter.defaultValue = valueText(byDefault);
      if (parameter.type == "bool")
        parameter.choices = {"false", "true"};
      options.push_back(std::move(parameter));
    }
  }
  return options;
}

std::vector<TraceParameter> defaultPassOptions(const Target &target) {
  std::vector<PassInstance> pipeline =
      llvm::cantFail(parsePassPipeline(defaultPipeline(target), allPasses()));
  return passOptionsOf(pipeline);
}

std::string helpOfPassOption(llvm::StringRef name) {
  auto [place, wanted] = name.split('.');
  llvm::StringRef passName = place.split('#').first;
  for (const PassInfo &info : allPasses())
    if (info.name == passName)
      for (const PassOption &option : info.create()->options())
        if (option.name == wanted)
          return option.help.str();
  return "";
}

std::vector<std::string> namesOfPasses() {
  std::vector<std::string> names;
  for (const PassInfo &pass : allPasses())
    names.push_back(pass.name.str());
  return names;
}

} // namespace tilescope
