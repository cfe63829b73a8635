#include "core/report/html_report.h"

#include "core/report/report_parts.h"
#include "core/trace/pass_figures.h"
#include "core/views/pictures.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace tilescope {

namespace {

class Report {
public:
  // `leftBytes`: for the parts, without the style sheet, the heading and what is left out.
  Report(const Trace &trace, const Judgement &judgement, size_t leftBytes, std::string scope)
      : report_(trace, judgement, std::move(scope)), trace_(trace), leftBytes_(leftBytes) {}

  // The body of a page. What matters most is written first and takes the room that it needs.
  HtmlReport build() {
    std::string passes = part("the table of passes", writePasses);
    std::string buffers = part("the table of buffers", writeBuffers);
    std::string findings = part("findings", writeFindings);
    std::string peak = part("what makes the peak", writePeak);
    std::string arena = picture("arena", lastPass(), /*isOpen=*/true);
    std::string source = part("the kernel file", writeSource);
    std::string cuda = part("the CUDA", writeCuda);
    std::string remarks = part("remarks", writeRemarks);
    for (const char *view : {"lifetimes", "stages"})
      arena += picture(view, lastPass(), /*isOpen=*/false);
    passes += picture("timeline", lastPass(), /*isOpen=*/false);
    std::string changes = allChanges();

    HtmlWriter head;
    writeHeading(report_, head);
    writeLeftOut(head);
    std::string body = head.take() + findings + peak + arena + buffers + passes + changes +
                       remarks + source + cuda;
    return {std::move(body), std::move(leftOut_)};
  }

private:
  static constexpr size_t MaxListed = 20;

  size_t lastPass() const { return trace_.passes.size() - 1; }

  // A part that does not fit is left out whole, unless it has cut itself short.
  std::string take(llvm::StringRef name, ReportPart part) {
    std::string text = part.html.take();
    if (text.size() > leftBytes_) {
      leftOut_.push_back(
          llvm::formatv("{0} ({1} bytes)", name, groupedNumber(static_cast<int64_t>(text.size()))));
      return "";
    }
    if (!part.leftOut.empty())
      leftOut_.push_back(name.str() + ": " + part.leftOut);
    leftBytes_ -= text.size();
    return text;
  }

  std::string part(llvm::StringRef name, void (*write)(const ReportTrace &, ReportPart &)) {
    ReportPart part{.maxBytes = leftBytes_};
    write(report_, part);
    return take(name, std::move(part));
  }

  std::string picture(llvm::StringRef view, size_t pass, bool isOpen) {
    Selection selection;
    selection.pass = pass;
    ReportPart part{.maxBytes = leftBytes_};
    std::string name = (view + " after " + trace_.passes[pass].name).str();
    part.html.beginDetails(name, isOpen);
    part.html.svg(pictureOf(view)->draw(trace_, selection), report_.scope);
    part.html.end();
    return take("the picture of " + name, std::move(part));
  }

  bool changesPlan(size_t pass) const {
    const auto &now = trace_.snapshots[trace_.passes[pass].snapshot].arenas;
    const auto &before = trace_.snapshots[trace_.passes[pass - 1].snapshot].arenas;
    return now != before && *now != *before;
  }

  std::string allChanges() {
    HtmlWriter heading;
    heading.element("h2", "What each pass changed", {{"id", report_.idOf("changes")}});
    std::string text = heading.take();
    for (size_t pass = 1; pass < trace_.passes.size(); ++pass) {
      if (report_.changesTarget(pass).empty())
        continue;
      const std::string &name = trace_.passes[pass].name;
      if (leftBytes_ < 1024 + 6 * name.size()) { // of its summary, with entities
        leftOut_.push_back("what the passes from " + name + " on changed");
        break;
      }
      text += changesOf(pass);
    }
    return text;
  }

  std::string changesOf(size_t pass) {
    const std::string &name = trace_.passes[pass].name;
    PassFigures figures = figuresOf(trace_, pass);
    bool hasFailed = trace_.passes[pass].status == PassStatus::Failed;
    size_t leftBytes = leftBytes_;
    HtmlWriter html;
    html.beginDetails(llvm::formatv("{0} {1}: {2} lines added, {3} removed{4}", pass, name,
                                    figures.linesAdded, figures.linesRemoved,
                                    hasFailed ? "; it failed" : "")
                          .str(),
                      /*isOpen=*/false, report_.changesTarget(pass));
    ReportPart lines{.maxBytes = leftBytes_};
    writeChanges(report_, pass, lines);
    html.append(take("what " + name + " changed", std::move(lines)));
    if (pass != lastPass() && changesPlan(pass)) {
      html.append(picture("arena", pass, false));
      html.append(picture("lifetimes", pass, false));
    }
    html.end();
    std::string text = html.take();
    leftBytes_ = leftBytes - std::min(leftBytes, text.size());
    return text;
  }

  void writeLeftOut(HtmlWriter &html) const {
    if (leftOut_.empty())
      return;
    html.element("p", "This page is not whole: a larger --max-size makes room for the rest.",
                 {{"class", "bad"}});
    html.begin("ul");
    for (size_t i = 0; i != std::min(leftOut_.size(), MaxListed); ++i)
      html.element("li", "left out: " + clipText(leftOut_[i]));
    if (leftOut_.size() > MaxListed)
      html.element("li", llvm::formatv("and {0} more", leftOut_.size() - MaxListed).str());
    html.end();
  }

  // Names come from the trace and may be long.
  static std::string clipText(llvm::StringRef text) { return text.take_front(200).str(); }

  ReportTrace report_;
  const Trace &trace_;
  size_t leftBytes_;
  std::vector<std::string> leftOut_;
};

} // namespace

// `reserved` bytes, or what it takes, are for the heading and the names of what is left out: known
// once they are written.
static HtmlReport buildWithin(const Trace &trace, const Judgement &judgement, size_t maxBytes,
                              const std::string &scope, size_t reserved) {
  for (;;) {
    size_t leftBytes = maxBytes - std::min(reserved, maxBytes);
    HtmlReport report = Report(trace, judgement, leftBytes, scope).build();
    if (report.page.size() <= maxBytes || reserved >= maxBytes)
      return report;
    reserved += report.page.size() - maxBytes;
  }
}

HtmlReport buildReportBody(const Trace &trace, const Judgement &judgement, size_t maxBytes,
                           const std::string &scope) {
  constexpr size_t Heading = size_t(3) << 10;
  return buildWithin(trace, judgement, maxBytes, scope, Heading);
}

HtmlReport buildHtmlReport(const Trace &trace, const Judgement &judgement, size_t maxBytes) {
  constexpr size_t FrameAndHeading = size_t(8) << 10;
  maxBytes = std::max(maxBytes, LeastReportBytes);
  size_t frame =
      std::min(htmlDocument(llvm::sys::path::filename(trace.header.file), "").size(), maxBytes);
  size_t heading = FrameAndHeading - std::min(frame, FrameAndHeading);
  HtmlReport report = buildWithin(trace, judgement, maxBytes - frame, "", heading);
  report.page = htmlDocument(llvm::sys::path::filename(trace.header.file), report.page);
  return report;
}

} // namespace tilescope
