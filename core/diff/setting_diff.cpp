#include "core/diff/setting_diff.h"

#include "core/trace/trace_origin.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

namespace tilescope {

namespace {

using Values = std::map<std::string, std::string>;

Values valuesOf(const TraceHeader &header, bool sameCompiler) {
  Values values;
  for (const TraceParameter &parameter : header.parameters)
    values[parameter.name] = parameter.value;
  values["target"] = header.target;
  if (!sameCompiler)
    return values;
  for (const TraceParameter &option : header.passOptions)
    values[option.name] = option.value;
  values["plan for"] = header.planFor.empty() ? "height" : header.planFor;
  values["patches"] = header.patches.empty() ? "none" : llvm::join(header.patches, ", ");
  values["stop after"] = header.stopAfter.empty() ? "none" : header.stopAfter;
  return values;
}

// "a,b{x=1}" -> "a,b"; options are compared one by one.
std::string withoutOptions(llvm::StringRef pipeline) {
  std::string names;
  for (auto [name, rest] = pipeline.split('{'); !name.empty();
       std::tie(name, rest) = rest.split('}').second.split('{'))
    names += name;
  return names;
}

} // namespace

std::vector<SettingDiff> diffSettings(const TraceHeader &before, const TraceHeader &after) {
  std::vector<SettingDiff> settings;
  // How one compiler is set says nothing of another.
  bool sameCompiler = isForeign(before) == isForeign(after);
  Values left = valuesOf(before, sameCompiler);
  Values right = valuesOf(after, sameCompiler);
  auto add = [&](const std::string &name) {
    if (left[name] != right[name])
      settings.push_back({name, left[name], right[name]});
    left.erase(name);
    right.erase(name);
  };
  for (const TraceParameter &parameter : after.parameters)
    add(parameter.name);
  for (const TraceParameter &parameter : before.parameters)
    add(parameter.name);
  for (const auto &[name, value] : Values(right))
    add(name);
  for (const auto &[name, value] : Values(left))
    add(name);
  if (sameCompiler && withoutOptions(before.pipeline) != withoutOptions(after.pipeline))
    settings.push_back({"pipeline", before.pipeline, after.pipeline});
  return settings;
}

} // namespace tilescope
