#include "core/views/view_text.h"

#include "core/support/shell_word.h"
#include "core/trace/trace_queries.h"
#include "core/views/models.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral OptionBegin = " --";

// Each word in quotes where a shell needs them.
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

} // namespace

bool isOfAllPasses(llvm::StringRef view) {
  static constexpr llvm::StringRef Names[] = {"arguments", "passes",   "cuda",         "timeline",
                                              "remarks",   "findings", "compare",      "instances",
                                              "ptx",       "sass",     "compare-cuda", "history"};
  return llvm::is_contained(Names, view);
}

std::string viewText(llvm::StringRef view, const Trace &trace, const Trace *other,
                     const DeviceListing *listing, const KernelHistory *history,
                     const Selection &selection) {
  std::string text;
  llvm::raw_string_ostream out(text);
#define MODEL(name, Type, help)                                                                    \
  if (view == (name))                                                                              \
    print(build##Type(trace, selection), out);
#define MODEL_OF_PASS(name, Type, help)                                                            \
  if (view == (name))                                                                              \
    print(build##Type(PassState(trace, selection.pass)), out);
#define MODEL_OF_BUFFER(name, Type, help)                                                          \
  if (view == (name) && selection.pinned.buffer)                                                   \
    print(build##Type(PassState(trace, selection.pass), selection.pinned.buffer), out);
#define MODEL_OF_TWO(name, Type, help)                                                             \
  if (view == (name) && other)                                                                     \
    print(build##Type(trace, *other, selection), out);
#define MODEL_OF_LISTING(name, Type, help)                                                         \
  if (view == (name) && listing)                                                                   \
    print(build##Type(trace, *listing), out);
#define MODEL_OF_HISTORY(name, Type, help)                                                         \
  if (view == (name) && history)                                                                   \
    print(build##Type(trace, *history), out);
#include "core/views/models.def"
  return text;
}

std::string showCommand(llvm::StringRef view, llvm::StringRef line, llvm::StringRef otherFile,
                        const Trace &trace, const Selection &selection) {
  std::string command = "tilescope show " + view.str() + " " + shellWordsOf(line);
  if (!isOfAllPasses(view))
    command += " --pass " + shellWord(passPlace(trace, selection.pass));
  if ((view == "buffer" || view == "layouts") && selection.pinned.buffer)
    command += " --buffer " + shellWord(toString(*selection.pinned.buffer));
  if (view == "layouts" && selection.pinned.buffer && selection.lanes.access >= 0)
    command += " --access " + std::to_string(selection.lanes.access) + " --warp " +
               std::to_string(selection.lanes.warp);
  if (view == "search")
    command += " --query " + shellWord(selection.query);
  if (view.starts_with("compare"))
    command += " --other " + shellWord(otherFile);
  return command;
}

} // namespace tilescope
