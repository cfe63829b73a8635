// Run alone: unit_tests --gtest_filter='HtmlWriter*:InlineSvg*'
#include "core/exports/html_writer.h"

#include "core/exports/inline_svg.h"
#include "core/exports/svg_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

using namespace tilescope;

namespace {

TEST(HtmlWriter, EscapesMarkupAndSpellsOutWhatIsNoText) {
  EXPECT_EQ(escapeHtml("<b a=\"1\" c='2'>&amp;"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
  EXPECT_EQ(escapeHtml("\x1b[31m\r\x7f"), "\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(escapeHtml("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(escapeHtml("\xE2\x80\xAEx\xD8\x9C"), "\\xe2\\x80\\xaex\\xd8\\x9c");
  EXPECT_EQ(escapeHtml("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(escapeHtml("\xE6\x97\xA5"), "\xE6\x97\xA5");
}

TEST(HtmlWriter, EscapesValuesOfAttributesToo) {
  HtmlWriter html;
  html.element("p", "text", {{"title", "\" onclick=\"x"}});
  EXPECT_EQ(html.take(), "<p title=\"&quot; onclick=&quot;x\">text</p>\n");
}

TEST(HtmlWriter, GivesDifferentNamesDifferentIds) {
  EXPECT_EQ(idOf("buffer", "A_shared"), "buffer-A_shared");
  EXPECT_EQ(idOf("buffer", "A B\"~"), "buffer-A~20B~22~7e");
  EXPECT_NE(idOf("buffer", "A B"), idOf("buffer", "A~20B"));
}

TEST(HtmlWriter, WritesTables) {
  HtmlWriter html;
  html.beginTable({{"buffer"}, {"bytes", true}});
  html.row({{"A", {.target = "b-A", .hueDegrees = 210}}, {"1,024"}}, "row-A");
  html.end();
  EXPECT_EQ(
      html.take(),
      "<table><tr><th>buffer</th>\n<th class=\"number\">bytes</th>\n</tr>\n"
      "<tr id=\"row-A\"><td><a href=\"#b-A\" class=\"buffer\" style=\"--hue:210\">A</a></td>\n"
      "<td class=\"number\">1,024</td>\n</tr>\n</table>\n");
}

TEST(HtmlWriter, FoldsDetails) {
  HtmlWriter html;
  html.beginDetails("3 < 4", false, "more");
  html.text("x");
  html.end();
  html.beginDetails("open", true);
  html.end();
  EXPECT_EQ(html.take(), "<details id=\"more\"><summary>3 &lt; 4</summary>\nx</details>\n"
                         "<details open=\"\"><summary>open</summary>\n</details>\n");
}

TEST(HtmlWriter, WritesLinesWithTheirNumbers) {
  HtmlWriter html;
  html.beginCode();
  html.line({.id = "cuda-7",
             .classes = "added",
             .gutter = {{"7"}, {"3", {.target = "source-3"}}},
             .text = "a < b"});
  html.end();
  EXPECT_EQ(html.take(), "<pre><span id=\"cuda-7\" class=\"added\"><i>7</i>"
                         "<i><a href=\"#source-3\">3</a></i>a &lt; b\n</span></pre>\n");
}

// name:   ____aaaa____
// words:  ______wwww__
TEST(HtmlWriter, AddsUpLooksWhereSpansOverlap) {
  HtmlWriter html;
  html.beginCode();
  html.line({.text = "....aaAAww..",
             .spans = {{6, 10, {.classes = "word"}}, {4, 8, {.target = "t", .tooltip = "A"}}}});
  html.end();
  EXPECT_EQ(html.take(), "<pre><span>....<a href=\"#t\" title=\"A\">aa</a>"
                         "<a href=\"#t\" class=\"word\" title=\"A\">AA</a>"
                         "<span class=\"word\">ww</span>..\n</span></pre>\n");
}

TEST(HtmlWriter, TakesSpansThatReachPastTheLine) {
  HtmlWriter html;
  html.beginCode();
  html.line({.text = "ab", .spans = {{1, 9, {.classes = "word"}}, {5, 7, {}}, {1, 1, {}}}});
  html.end();
  EXPECT_EQ(html.take(), "<pre><span>a<span class=\"word\">b</span>\n</span></pre>\n");
}

std::string pictureOf(const std::string &name) {
  SvgWriter svg;
  svg.text(1, 2, name, "class=\"band\"");
  svg.box({0, 0, 1, 1}, "fill=\"url(#padding)\"");
  return svgDocument({{10, 10, svg.body()}}, ".band { fill: #ffffff }\ntext, .x { stroke: red }\n",
                     "<pattern id=\"padding\"/>\n");
}

TEST(InlineSvg, KeepsIdsAndRulesToOneScope) {
  std::string svg = inlineSvg(pictureOf("x"), "p7");
  for (const char *expected :
       {"<svg class=\"p7\" ", "<style>\n.p7 .band { fill: #ffffff }\n",
        "\n.p7 text, .p7 .x { stroke: red }\n", "<pattern id=\"p7-padding\"/>", "url(#p7-padding)"})
    EXPECT_NE(svg.find(expected), svg.npos) << expected << "\n" << svg;
}

TEST(InlineSvg, KeepsPicturesOfOnePageApart) {
  HtmlWriter html;
  for (const char *name : {"first", "second", "first"})
    html.svg(pictureOf(name));
  std::string page = html.take();
  std::vector<std::string> scopes;
  static const std::regex Scope("<svg class=\"(\\w+)\" ");
  for (std::sregex_iterator it(page.begin(), page.end(), Scope), end; it != end; ++it)
    scopes.push_back((*it)[1]);
  ASSERT_EQ(scopes.size(), 3u);
  EXPECT_NE(scopes[0], scopes[1]);
  EXPECT_EQ(scopes[0], scopes[2]); // the same rules for the same picture
}

TEST(InlineSvg, LeavesTextsAsTheyAre) {
  std::string text = "url(#padding) href=\"#padding\" id=\"x\"";
  std::string scoped = inlineSvg(pictureOf(text), "p0");
  EXPECT_NE(scoped.find(">" + escapeXml(text) + "<"), scoped.npos) << scoped;
}

TEST(InlineSvg, ScopesRulesWithinMediaQueries) {
  std::string svg = svgDocument({},
                                "text { fill: black }\n@media (prefers-color-scheme: dark) {\n"
                                "  text { fill: white }\n  svg { color: red }\n}\n",
                                "");
  std::string scoped = inlineSvg(svg, "p3");
  EXPECT_NE(scoped.find("<style>\n.p3 text { fill: black }\n"
                        "@media (prefers-color-scheme: dark) {\n.p3 text { fill: white }\n"
                        ".p3 { color: red }\n}\n</style>"),
            scoped.npos)
      << scoped;
}

TEST(InlineSvg, TakesBrokenStyles) {
  for (const char *style : {"", "}", "{", "a {", "@media {", "a { b } }"})
    EXPECT_NE(inlineSvg(svgDocument({}, style, ""), "p0").find("</svg>"), std::string::npos);
}

TEST(HtmlWriter, WritesWholeDocumentsThatFetchNothing) {
  HtmlWriter html;
  html.element("h1", "<script>alert(1)</script>");
  html.svg(pictureOf("x"));
  std::string page = htmlDocument("</title><script>", html.take());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char *forbidden : {"<script", "src=", "@import", "https:"})
    EXPECT_EQ(page.find(forbidden), page.npos) << forbidden;
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;script&gt;</title>"), page.npos);
  EXPECT_NE(page.find("default-src 'none'"), page.npos);
}

TEST(HtmlWriter, ExplainsEveryClassThatItUses) {
  std::string page = htmlDocument("", "");
  for (const char *name : {".buffer {", ".number {", ".added {", ".removed {", ".modified {",
                           ".word {", ".quiet {", ".bad {"})
    EXPECT_NE(page.find(name), page.npos) << name;
  EXPECT_EQ(std::count(page.begin(), page.end(), '{'), std::count(page.begin(), page.end(), '}'));
}

} // namespace
