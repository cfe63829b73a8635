// Pages for people without Tilescope: one file, no script, nothing fetched.
//
//     HtmlWriter html;
//     html.element("h2", "Buffers");
//     html.beginTable({{"buffer"}, {"bytes", true}});
//     html.row({{"A_shared", {.target = idOf("buffer", key)}}, {"24,576"}});
//     html.end();
//     std::string page = htmlDocument("gemm.trace", html.take());
//
// Text may be anything: markup is escaped, control characters and marks of writing direction are
// spelled out, bytes that are no UTF-8 become U+FFFD. Tags, names of attributes and classes are
// ours, never from input. The same calls give the same bytes.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace tilescope {

// For content and for attribute values in double quotes. Tabs and ends of lines stay.
std::string escapeHtml(llvm::StringRef text);

// An id of an element, "buffer-A_shared": different names give different ids.
std::string idOf(llvm::StringRef prefix, llvm::StringRef name);

struct HtmlLook {
  std::string target;  // id of the element that it links to; "": no link
  std::string classes; // of the style sheet: "added", "quiet error"; ""
  int hueDegrees = -1; // of a buffer; -1: none
  std::string tooltip;
};

struct HtmlRun {
  std::string text;
  HtmlLook look = {};
};

// Bytes [begin, end) of a line.
struct HtmlSpan {
  size_t begin = 0;
  size_t end = 0;
  HtmlLook look = {};
};

struct HtmlLine {
  std::string id;              // ""
  std::string classes;         // "added", "removed", "modified"; ""
  std::vector<HtmlRun> gutter; // line numbers; not copied with the text
  std::string text;
  std::vector<HtmlSpan> spans; // in any order; where two overlap their looks add up
};

struct HtmlColumn {
  std::string title;
  bool isNumber = false; // aligned to the right
};

class HtmlWriter {
public:
  using Attributes = llvm::ArrayRef<std::pair<llvm::StringRef, std::string>>;

  // Every begin needs its end.
  void begin(llvm::StringRef tag, Attributes attributes = {});
  void end();
  void text(llvm::StringRef text);
  void run(const HtmlRun &run);
  void element(llvm::StringRef tag, llvm::StringRef text, Attributes attributes = {});

  // Folded behind its summary unless `isOpen`. Needs an end.
  void beginDetails(llvm::StringRef summary, bool isOpen = false, llvm::StringRef id = "");

  // Needs an end; in between only rows, with a run a column.
  void beginTable(llvm::ArrayRef<HtmlColumn> columns);
  void row(llvm::ArrayRef<HtmlRun> cells, llvm::StringRef id = "");

  // Needs an end; in between only lines.
  void beginCode();
  void line(const HtmlLine &line);

  // What another writer made.
  void append(llvm::StringRef html) { body_ += html; }

  // A whole document of svg_writer.h. Its ids and styles are kept to itself, also where pages are
  // put together from what several writers made. Equal pictures at different places have ids of
  // their own; `place` is any text.
  void svg(llvm::StringRef document, llvm::StringRef place = "");

  size_t sizeBytes() const { return body_.size(); }
  // Forgets what was written since there were so many bytes; all of it must be ended.
  void dropAfter(size_t bytes) { body_.resize(bytes); }
  // Everything must be ended.
  std::string take();

private:
  std::string body_;
  std::vector<std::string> open_;
  std::vector<HtmlColumn> columns_; // of the open table
};

// `body` is of an HtmlWriter. The style sheet is light or dark as the reader's system, and light on
// paper.
std::string htmlDocument(llvm::StringRef title, llvm::StringRef body);

} // namespace tilescope
