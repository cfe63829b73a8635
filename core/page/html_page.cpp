#include "core/page/html_page.h"

#include "core/exports/html_writer.h"
#include "core/json/json_value.h"
#include "core/page/shared_json.h"
#include "core/trace/trace_queries.h"
#include "core/views/models.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

// NOLINTBEGIN(bugprone-macro-parentheses): the parentheses would be part of a declaration
#define WEB_FILE(Name, path)                                                                       \
  extern const unsigned char Name[];                                                               \
  extern const size_t Name##Size;
#include "core/page/web_files.def"
// NOLINTEND(bugprone-macro-parentheses)

namespace tilescope {

namespace {

struct WebFile {
  llvm::StringRef path;
  llvm::StringRef text;
};

const WebFile WebFiles[] = {
#define WEB_FILE(Name, path)                                                                       \
  {path, llvm::StringRef(reinterpret_cast<const char *>(Name), Name##Size)},
#include "core/page/web_files.def"
};

struct ViewOfPasses {
  llvm::StringRef name;
  Json (*after)(const PassState &state);
};

constexpr ViewOfPasses ViewsOfPasses[] = {
    {"ir", [](const PassState &state) { return toJson(buildIr(state)); }},
    {"changes", [](const PassState &state) { return toJson(buildChanges(state)); }},
    {"arena", [](const PassState &state) { return toJson(buildArena(state)); }},
    {"lifetimes", [](const PassState &state) { return toJson(buildLifetimes(state)); }},
    {"stages", [](const PassState &state) { return toJson(buildStages(state)); }},
    {"peak", [](const PassState &state) { return toJson(buildPeak(state)); }},
    {"layouts", [](const PassState &state) { return toJson(buildLayouts(state, {})); }},
    {"costs", [](const PassState &state) { return toJson(buildCosts(state)); }},
};

// Left out in this order where there is no room.
constexpr llvm::StringRef Dispensable[] = {"ptx",       "sass", "execution", "layouts", "costs",
                                           "lifetimes", "peak", "stages",    "remarks"};

// A buffer of any snapshot, as it was when it was last seen.
Json buffersOf(const Trace &trace) {
  BufferHues hues = BufferHues::of(trace);
  std::map<BufferId, Json> buffers;
  for (const TracePass &pass : trace.passes)
    for (const BufferRecord &record : *trace.snapshots[pass.snapshot].buffers)
      buffers[record.id] = {{"id", record.id.value},
                            {"name", record.name},
                            {"scope", nameOf(record.scope)},
                            {"type", typeText(record)},
                            {"hue", hues.hueOf(record.key)}};
  Json all = Json::array();
  for (auto &[id, buffer] : buffers)
    all.push_back(std::move(buffer));
  return all;
}

Json viewsOf(const Trace &trace, const Judgement &judgement) {
  Selection last;
  last.pass = trace.passes.size() - 1;
  Json views = {{"file", trace.header.file},
                {"arguments", toJson(buildArguments(trace, last))},
                {"passes", toJson(buildPasses(trace, last))},
                {"source", toJson(buildSource(trace, last))},
                {"cuda", toJson(buildCuda(trace, last))},
                {"remarks", toJson(buildRemarks(trace, last))},
                {"findings", toJson(findingsOf(trace, judgement))},
                {"buffers", buffersOf(trace)}};
  if (trace.execution)
    views["execution"] = toJson(*trace.execution);
  for (const ViewOfPasses &view : ViewsOfPasses) {
    Json states = Json::array();
    for (size_t pass = 0; pass != trace.passes.size(); ++pass)
      states.push_back(view.after(PassState(trace, pass)));
    views[view.name.str()] = std::move(states);
  }
  return views;
}

// Ends no element of the page, whatever the strings are: JSON has "<" inside of strings only.
std::string embedded(const Json &data) {
  std::string text;
  for (char c : sharedJson(data))
    c == '<' ? void(text += "\\u003c") : text.push_back(c);
  return text;
}

// "attention_fwd.py:attention" of "/home/me/attention_fwd.py:attention".
std::string titleOf(llvm::StringRef title) {
  llvm::StringRef path = title.take_front(title.find(' '));
  return (llvm::sys::path::filename(path) + title.drop_front(path.size())).str();
}

std::string pageOf(llvm::StringRef title, llvm::StringRef data) {
  std::string style;
  std::string script;
  for (const WebFile &file : WebFiles)
    (file.path.ends_with(".css") ? style : script) += file.text;
  return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          // The page cannot fetch anything, whatever stands in it.
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<meta name=\"viewport\" content=\"width=device-width\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>" +
          escapeHtml(titleOf(title)) + "</title>\n<style>\n" + style +
          "</style>\n</head>\n<body>\n"
          "<noscript>This page needs scripts; 'tilescope export --format report' makes one that "
          "needs none.</noscript>\n"
          "<script type=\"application/json\" id=\"data\">" +
          data + "</script>\n<script>\n" + script + "</script>\n</body>\n</html>\n")
      .str();
}

} // namespace

HtmlPageWriter::HtmlPageWriter(std::string title)
    : title_(std::move(title)), instances_(std::make_unique<Json>(Json::array())) {}
HtmlPageWriter::~HtmlPageWriter() = default;

void HtmlPageWriter::add(const InstanceRow &row, const Trace &trace, const Judgement &judgement,
                         const DeviceListing *listing) {
  Json views = viewsOf(trace, judgement);
  if (listing) {
    views["ptx"] = toJson(buildPtx(trace, *listing));
    views["sass"] = toJson(buildSass(trace, *listing));
  }
  instances_->push_back({{"row", toJson(row)}, {"views", std::move(views)}});
}

void HtmlPageWriter::add(const InstanceRow &row) { instances_->push_back({{"row", toJson(row)}}); }

bool HtmlPageWriter::hasView(llvm::StringRef name) const {
  return llvm::any_of(*instances_, [&](const Json &instance) {
    return instance.contains("views") && instance["views"].contains(name.str());
  });
}

// False: all that is left must stay.
bool HtmlPageWriter::leaveOut(std::vector<std::string> &leftOut) {
  for (llvm::StringRef view : Dispensable) {
    if (!hasView(view))
      continue;
    leftOut.push_back(view.str());
    for (Json &instance : *instances_)
      if (instance.contains("views"))
        instance["views"].erase(leftOut.back());
    return true;
  }
  auto hasViews = [](const Json &instance) { return instance.contains("views"); };
  if (llvm::count_if(*instances_, hasViews) < 2)
    return false;
  Json &last = *std::find_if(instances_->rbegin(), instances_->rend(), hasViews);
  last.erase("views");
  leftOut.push_back("the passes of " + last["row"]["trace"].get<std::string>());
  return true;
}

llvm::Expected<HtmlPage> HtmlPageWriter::take(size_t maxBytes) {
  HtmlPage page;
  for (;;) {
    Json data = {{"title", title_}, {"leftOut", page.leftOut}, {"instances", *instances_}};
    page.text = pageOf(title_, embedded(data));
    bool hasListing = hasView("ptx") || hasView("sass");
    if (page.text.size() <= (hasListing ? std::min(maxBytes, MostBytesWithListings) : maxBytes))
      return page;
    if (!leaveOut(page.leftOut))
      return llvm::createStringError(
          llvm::formatv("the text of the passes alone takes {0} bytes, and --max-size is {1}; "
                        "--format report is cut to what fits",
                        page.text.size(), maxBytes)
              .str());
  }
}

} // namespace tilescope
