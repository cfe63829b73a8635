// Panel `search`: a field to type in, a strip that shows in which passes there are hits, and the
// hits of the selected pass, the kernel file and the CUDA.
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/hit_strip.h"
#include "viewer/panels/widgets/text_pane.h"

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
  SearchRows(const SearchView &view, size_t pass) {
    add("IR after " + view.pass, view.ir);
    add("Kernel file", view.source);
    add("CUDA", view.cuda);
    if (!view.found)
      return;
    facts_ = factsAfter(view, pass);
    ofEmission_ = factsAfter(view, view.passes.size());
    add("Holds after " + view.pass, facts_);
    add("Holds after the emission of the CUDA", ofEmission_);
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
    bool isText = !hits.front().spans.empty();
    rows_.push_back({isText ? title + ": " + hitsText(hits) : title, nullptr});
    for (const SearchHit &hit : hits) {
      rows_.push_back({"", &hit});
      hits_.push_back(&hit);
    }
  }

  std::vector<SearchHit> facts_, ofEmission_; // of a predicate
  std::vector<Row> rows_;
  std::vector<const SearchHit *> hits_;
};

struct SearchContent {
  SearchView view;
  SearchRows rows; // of the view

  SearchContent(SearchView built, size_t pass) : view(std::move(built)), rows(view, pass) {}
};

class SearchPanel : public Panel {
public:
  void draw(PanelContext &context) override {
    int step = drawField(context);
    if (context.selection.query.empty()) {
      drawEmpty(context, "Nothing is searched for.",
                "Type a text, or /a regular expression/: it is looked for in the IR after each "
                "pass, in the kernel file and in the CUDA. Case counts if there is a capital. Or "
                "ask each pass, as tilescope find does: find peak > 160KiB and not planned; find "
                "shares(Q_shared, O_shared); find buffer V_shared appears; find cuda \"ldmatrix\"");
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
      if (predicateOf(view.query))
        drawEmpty(context, view.error, "tilescope find --help lists what can be asked.");
      else
        drawEmpty(context, "This is no regular expression: " + view.error + ".",
                  "Without the slashes it is searched for as it is.");
      return;
    }
    if (view.uncountedPasses)
      ImGui::TextDisabled("%s", progressText(view).c_str());
    drawHitStrip(context, view);
    const SearchRows &rows = content.rows;
    if (rows.count() == 0) {
      if (view.found)
        drawEmpty(context, "It does not hold after " + view.pass + ".",
                  "The strip above shows the passes after which it does.");
      else
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
          buildSearch(*document.trace, context.selection, *memory_, key.counted.get()),
          context.selection.pass);
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
