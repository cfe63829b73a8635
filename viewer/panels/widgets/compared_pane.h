// A text of two compiles, side by side where there is room.
#pragma once

#include "core/views/compared_text.h"
#include "viewer/panels/widgets/aligned_rows.h"

namespace tilescope {

// Where the document is compared with no other: why not.
void drawNoOther(const PanelContext &context);

class ComparedPane {
public:
  using Build = ComparedText (*)(const Trace &, const Trace &, const Selection &);

  // `place` names the text in Places.
  ComparedPane(Build build, CodeLanguage language, const char *place)
      : build_(build), language_(language), place_(place) {}

  // The document is compared with another trace.
  void draw(PanelContext &context);

private:
  struct Key {
    PassKey pass;
    bool isWide = false;
    bool hasFolds = true;

    friend bool operator==(const Key &, const Key &) = default;
  };
  struct Content {
    ComparedText text;
    std::vector<FoldedRow> shown;
  };
  void drawCounts(const PanelContext &context, const ComparedText &text) const;

  Build build_;
  CodeLanguage language_;
  const char *place_;
  bool hasFolds_ = true;
  CachedView<Content, Key> content_;
  Key shown_;
  uint64_t version_ = 0;
  TextPane pane_;
};

} // namespace tilescope
