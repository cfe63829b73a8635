// Panel `search`: a field to type in, a strip that shows in which passes there are hits, and the
// hits of the selected pass, the kernel file and the CUDA.
#include "core/views/search_model.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"
#include "viewer/panels/widgets/text_pane.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tilescope {

namespace {

struct SearchKey {
  PassKey pass;
  std::string query;
  std::shared_ptr<const CountedHits> counted; // elsewhere

  friend bool operator==(const SearchKey &, const SearchKey &) = default;
};

// The hits one below the other, with a heading over each kind.
class SearchRows : public TextRows {
public:
  explicit SearchRows(const SearchView &view) {
    add("IR after " + view.pass, view.ir);
    add("Kernel file", view.source);
    add("CUDA", view.cuda);
  }

  size_t count() const override { return rows_.size(); }

  std::optional<TextLine> at(size_t row, size_t /*column*/) const override {
    const Row &shown = rows_[row];
    TextLine line;
    if (!shown.hit) {
      line.text = shown.heading;
      return line;
    }
    line.text = llvm::StringRef(shown.hit->text).ltrim();
    line.number = shown.hit->line;
    line.stmt = shown.hit->stmt;
    line.sourceLine = shown.hit->sourceLine;
    return line;
  }

  // The `index`-th hit of all.
  const SearchHit &hit(size_t index) const { return *hits_[index]; }
  size_t hitCount() const { return hits_.size(); }

private:
  struct Row {
    std::string heading;
    const SearchHit *hit = nullptr; // nullptr: a heading
  };

  void add(const std::string &title, const std::vector<SearchHit> &hits) {
    if (hits.empty())
      return;
    rows_.push_back({title + ": " + hitsText(hits), nullptr});
    for (const SearchHit &hit : hits) {
      rows_.push_back({"", &hit});
      hits_.push_back(&hit);
    }
  }

  std::vector<Row> rows_;
  std::vector<const SearchHit *> hits_;
};

struct SearchContent {
  SearchView view;
  SearchRows rows; // of the view

  explicit SearchContent(SearchView built) : view(std::move(built)), rows(view) {}
};

class SearchPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    int step = drawField(context);
    if (context.selection.query.empty()) {
      drawEmpty(context, "Nothing is searched for.",
                "Type a text, or /a regular expression/: it is looked for in the IR after each "
                "pass, in the kernel file and in the CUDA. Case counts if there is a capital.");
      return;
    }
    SearchKey key{PassKey::of(context), context.selection.query, nullptr};
    if (!(key == shown_)) {
      shown_ = key;
      ++version_;
    }
    const SearchContent &content = contentFor(context, key);
    const SearchView &view = content.view;
    if (!view.error.empty()) {
      drawEmpty(context, "This is no regular expression: " + view.error + ".",
                "Without the slashes it is searched for as it is.");
      return;
    }
    if (view.uncountedPasses)
      ImGui::TextDisabled("%s", progressText(view).c_str());
    drawStrip(context, view);
    const SearchRows &rows = content.rows;
    if (rows.count() == 0) {
      drawEmpty(context, "Not found after " + view.pass + ", in the kernel file or in the CUDA.",
                "The strip above shows the passes after which it is in the IR.");
      return;
    }
    stepHit(context, rows, step);
    pane_.draw(context, {rows, NoBuffers, version_, nullptr, /*hasRuler=*/false, "search hits"});
  }

private:
  const SearchContent &contentFor(const PanelContext &context, SearchKey key) {
    const Document &document = context.document;
    if (!memory_ || remembered_ != std::pair(document.revision, key.query)) {
      memory_.emplace(key.query);
      remembered_ = {document.revision, key.query};
    }
    const CountedHits *counted = document.counted.get();
    if (counted && counted->query == key.query && counted->revision == document.revision)
      key.counted = document.counted;
    return content_.get(key, [&] {
      return SearchContent(
          buildSearch(*document.trace, context.selection, *memory_, key.counted.get()));
    });
  }

  // 1 or -1: to the next or the previous hit.
  int drawField(PanelContext &context) {
    if (context.commands.has(Command::Search))
      ImGui::SetKeyboardFocusHere();
    // Whoever else set the query is shown.
    if (context.selection.query != typed_.data())
      std::snprintf(typed_.data(), typed_.size(), "%s", context.selection.query.c_str());
    ImGui::SetNextItemWidth(-1);
    bool isEnter =
        ImGui::InputTextWithHint("##query", "search all passes, source and CUDA", typed_.data(),
                                 typed_.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    context.places.note("search query");
    if (isEnter)
      ImGui::SetKeyboardFocusHere(-1);
    if (context.selection.query.size() < typed_.size())
      context.selection.query = typed_.data();
    if (context.commands.has(Command::NextHit) || (isEnter && !ImGui::GetIO().KeyShift))
      return 1;
    return context.commands.has(Command::PreviousHit) || isEnter ? -1 : 0;
  }

  void stepHit(PanelContext &context, const SearchRows &rows, int step) {
    if (step == 0 || rows.hitCount() == 0)
      return;
    auto count = static_cast<int64_t>(rows.hitCount());
    // From where the last step led, unless something else was selected since.
    if (!(context.selection.pinned == stepped_)) {
      current_ = step > 0 ? -1 : count;
      for (int64_t i = count; i-- != 0;)
        if (pickOf(rows.hit(i)) == context.selection.pinned)
          current_ = i;
    }
    current_ = (std::clamp<int64_t>(current_, -1, count) + step + count) % count;
    if (Pick pick = pickOf(rows.hit(current_)); !pick.isEmpty())
      context.selection.pin(pick);
    stepped_ = context.selection.pinned;
  }

  static Pick pickOf(const SearchHit &hit) {
    Pick pick;
    pick.stmt = hit.stmt;
    pick.sourceLine = hit.sourceLine;
    return pick;
  }

  // A cell a pass; the more hits, the fuller. Click to go there. Below it, in words, the pass under
  // the mouse, else the selected one.
  static void drawStrip(PanelContext &context, const SearchView &view) {
    const Theme &theme = context.theme;
    float height = 1.4F * ImGui::GetTextLineHeight();
    ImVec2 origin = ImGui::GetCursorScreenPos();
    float width = std::max(ImGui::GetContentRegionAvail().x, 1.0F);
    ImGui::InvisibleButton("strip", {width, height});
    context.places.note("search strip");
    bool isHovered = ImGui::IsItemHovered(), isClicked = ImGui::IsItemClicked();
    float cell = width / static_cast<float>(view.passes.size());
    size_t most = 1;
    for (const PassHits &hits : view.passes)
      most = std::max(most, hits.hits);
    ImDrawList &list = *ImGui::GetWindowDrawList();
    auto left = [&](size_t pass) { return origin.x + cell * static_cast<float>(pass); };
    float gap = cell > 4 ? theme.scale : 0;
    for (size_t pass = 0; pass != view.passes.size(); ++pass) {
      const PassHits &hits = view.passes[pass];
      ImVec2 from(left(pass), origin.y), to(left(pass + 1) - gap, origin.y + height);
      if (hits.isCounted)
        list.AddRectFilled(from, to, theme.color(Meaning::Faint));
      float share = static_cast<float>(hits.hits) / static_cast<float>(most);
      if (hits.hits)
        list.AddRectFilled({from.x, to.y - height * (0.15F + 0.85F * share)}, to,
                           theme.color(Meaning::Notice, 0.75F));
      std::string count = std::to_string(hits.hits);
      ImVec2 size = ImGui::CalcTextSize(count.c_str());
      if (hits.hits && size.x + 4 * theme.scale < cell)
        list.AddText({(from.x + to.x - size.x) / 2, origin.y + (height - size.y) / 2},
                     theme.color(Meaning::Text), count.c_str());
      if (pass == context.selection.pass)
        list.AddRect(from, to, theme.color(Meaning::Accent), 0, 0, 2 * theme.scale);
    }
    size_t pass = std::min(view.passes.size() - 1, context.selection.pass);
    if (isHovered)
      pass = std::min(view.passes.size() - 1,
                      static_cast<size_t>((ImGui::GetIO().MousePos.x - origin.x) / cell));
    const PassHits &hits = view.passes[pass];
    std::string found = hits.isCounted ? hitsText(hits.hits, hits.lines) : "not counted yet";
    std::string at = llvm::formatv("pass {0} of {1}", pass + 1, view.passes.size());
    std::string words = llvm::formatv("IR after {0} ({1}): {2}", hits.name, at, found);
    if (isHovered)
      showTooltip(words + "; a bar a pass, as high as it has hits");
    if (ImGui::CalcTextSize(words.c_str()).x > width)
      words = at + ": " + found; // the list of hits says its name
    drawWrapped(words, theme.color(isHovered ? Meaning::Text : Meaning::Quiet));
    if (isClicked)
      context.selection.selectPass(hits.pass);
  }

  static inline const std::vector<NamedBuffer> NoBuffers;
  std::optional<SearchMemory> memory_;
  std::pair<uint64_t, std::string> remembered_; // the revision and the query that it is of
  CachedView<SearchContent, SearchKey> content_;
  SearchKey shown_{{~uint64_t(0), 0}, "", nullptr};
  uint64_t version_ = 0; // of the rows
  std::array<char, 256> typed_{};
  int64_t current_ = -1; // the hit that the last step led to
  Pick stepped_;         // what it selected
  TextPane pane_;
};

} // namespace

std::unique_ptr<Panel> makeSearchPanel() { return std::make_unique<SearchPanel>(); }

} // namespace tilescope
