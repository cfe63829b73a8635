// tilescope-view: the window.
#include "core/trace/trace_reader.h"
#include "viewer/app/fonts.h"
#include "viewer/app/offscreen.h"
#include "viewer/shell/frame.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
using namespace tilescope;
namespace {
class NoActions : public AppActions {
  void setArgument(llvm::StringRef, llvm::StringRef) override {}
  void setTarget(llvm::StringRef) override {}
  void editIr(size_t, std::string) override {}
  void open(const std::string &) override {}
};
} // namespace
int main(int argc, char **argv) {
  llvm::cl::opt<std::string> path(llvm::cl::Positional, llvm::cl::Required);
  llvm::cl::opt<std::string> shot("screenshot"), size("size", llvm::cl::init("1600x1000")),
      pass("pass"), select("select"), themeName("theme", llvm::cl::init("dark")), panel("panel"),
      query("query"), other("other");
  llvm::cl::ParseCommandLineOptions(argc, argv);
  auto trace = readTraceFile(path);
  if (!trace) {
    llvm::errs() << toString(trace.takeError()) << '\n';
    return 2;
  }
  Document document;
  document.trace = &*trace;
  document.revision = 1;
  std::optional<Trace> second;
  if (!other.empty()) {
    auto t = readTraceFile(other);
    if (t) {
      second = std::move(*t);
      document.other = &*second;
    }
  }
  Selection selection;
  selection.pass = trace->passes.size() - 1;
  for (size_t i = 0; i < trace->passes.size(); ++i)
    if (trace->passes[i].name == pass || std::to_string(i) == pass)
      selection.pass = i;
  for (const BufferRecord &b : *trace->snapshots[trace->passes[selection.pass].snapshot].buffers)
    if (b.name == select)
      selection.pinned = Pick::ofBuffer(b.key);
  selection.query = query;
  auto [w, h] = llvm::StringRef(size).split('x');
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  Theme theme = themeName == "light" ? Theme::light() : Theme::dark();
  theme.apply();
  loadFonts(theme, 15);
  Frame frame;
  NoActions actions;
  CommandSet commands;
  if (!panel.empty())
    for (const PanelInfo &info : allPanels())
      if (info.name == panel)
        frame.layout.activate(info);
  auto pixels = drawOffscreen(std::stoi(w.str()), std::stoi(h.str()), 4,
                              [&] { frame.draw(document, selection, theme, actions, commands); });
  if (!pixels) {
    llvm::errs() << toString(pixels.takeError()) << '\n';
    return 2;
  }
  std::error_code ec;
  llvm::raw_fd_ostream out(shot, ec);
  out << toPng(*pixels);
  ImGui::DestroyContext();
  return 0;
}
