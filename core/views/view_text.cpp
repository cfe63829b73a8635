#include "core/views/view_text.h"

#include "core/support/shell_word.h"
#include "core/trace/trace_queries.h"
#include "core/views/models.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral OptionBegin = " --";

} // namespace

std::string shellWordsOf(llvm::StringRef line) {
  auto [name, options] = line.split(OptionBegin);
  std::string text = shellWord(name);
  while (!options.empty()) {
    auto [option, rest] = options.split(OptionBegin);
    auto [word, value] = option.split(' ');
    text += (OptionBegin + word + " ").str() + shellWord(value);
    options = rest;
  }
  return text;
}

bool isOfAllPasses(llvm::StringRef view) {
  static constexpr llvm::StringRef Names[] = {
      "arguments", "passes", "cuda", "timeline",     "remarks", "findings", "compare",
      "instances", "ptx",    "sass", "compare-cuda", "history", "steps"};
  return llvm::is_contained(Names, view);
}

bool ViewInfo::isIn(const ViewSources &sources) const {
  switch (needs) {
  case ViewNeed::Nothing:
    return true;
  case ViewNeed::Buffer:
    return sources.selection.pinned.buffer.has_value();
  case ViewNeed::Query:
    return !sources.selection.query.empty();
  case ViewNeed::Other:
    return sources.other != nullptr;
  case ViewNeed::Listing:
    return sources.listing != nullptr;
  case ViewNeed::History:
    return sources.history != nullptr;
  }
  return false;
}

static PassState stateOf(const ViewSources &of) { return {of.trace, of.selection.pass}; }

llvm::ArrayRef<ViewInfo> allViews() {
  static constexpr ViewInfo Views[] = {
#define VIEW(name, help, need, view)                                                               \
  {name, help, ViewNeed::need,                                                                     \
   [](const ViewSources &of, llvm::raw_ostream &out) { print(view, out); },                        \
   [](const ViewSources &of) { return toJson(view); }},
#define MODEL(name, Type, help) VIEW(name, help, Nothing, build##Type(of.trace, of.selection))
#define MODEL_OF_PASS(name, Type, help) VIEW(name, help, Nothing, build##Type(stateOf(of)))
#define MODEL_OF_BUFFER(name, Type, help)                                                          \
  VIEW(name, help, Buffer, build##Type(stateOf(of), of.selection.pinned.buffer))
#define MODEL_OF_QUERY(name, Type, help)                                                           \
  VIEW(name, help, Query, build##Type(of.trace, of.selection))
#define MODEL_OF_TWO(name, Type, help)                                                             \
  VIEW(name, help, Other, build##Type(of.trace, *of.other, of.selection))
#define MODEL_OF_LISTING(name, Type, help)                                                         \
  VIEW(name, help, Listing, build##Type(of.trace, *of.listing))
#define MODEL_OF_HISTORY(name, Type, help)                                                         \
  VIEW(name, help, History, build##Type(of.trace, *of.history))
#include "core/views/models.def"
#undef VIEW
  };
  return Views;
}

std::string viewText(llvm::StringRef view, const ViewSources &sources) {
  const auto *info = llvm::find_if(allViews(), [&](const ViewInfo &v) { return v.name == view; });
  std::string text;
  llvm::raw_string_ostream out(text);
  if (info != allViews().end() && info->isIn(sources))
    info->print(sources, out);
  return text;
}

std::string showCommand(llvm::StringRef view, llvm::StringRef line, llvm::StringRef otherFile,
                        const Trace &trace, const Selection &selection) {
  std::string command = "tilescope show " + view.str() + " " + shellWordsOf(line);
  if (!isOfAllPasses(view))
    command += " --pass " + shellWord(placeToFind(trace, selection.pass));
  if ((view == "buffer" || view == "layouts") && selection.pinned.buffer)
    command += " --buffer " + shellWord(toString(*selection.pinned.buffer));
  if (view == "layouts" && selection.pinned.buffer && selection.lanes.access >= 0)
    command += " --access " + std::to_string(selection.lanes.access) + " --warp " +
               std::to_string(selection.lanes.warp);
  if (view == "stages" && selection.moment.loop.isValid() &&
      selection.moment.pass == selection.pass)
    command +=
        " --moment " + nameOf(buildStages(PassState(trace, selection.pass)), selection.moment);
  if (view == "steps" && selection.step >= 0)
    command += " --step " + std::to_string(selection.step);
  if (view == "search")
    command += " --query " + shellWord(selection.query);
  if (view.starts_with("compare"))
    command += " --other " + shellWord(otherFile);
  return command;
}

} // namespace tilescope
