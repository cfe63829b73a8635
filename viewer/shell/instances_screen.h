// What a folder of traces opens as: a table of its instances in place of the panels. A click or
// Enter opens one; the command Instances comes back.
#pragma once

#include "core/session/instance_list.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/widgets/table.h"

#include <optional>

namespace tilescope {

class InstancesScreen {
public:
  bool hasFolder() const { return list_.has_value(); }
  void open(InstanceList list);
  // The table is in front; false: an instance is, or no folder is open.
  bool isShown() const { return isShown_; }
  // False: no folder is open.
  bool show() { return isShown_ = list_.has_value(); }
  void hide() { isShown_ = false; }
  const InstancesView &view() const { return list_->view(); }
  // Where the rows were drawn last: "instance 0".
  const Places &places() const { return places_; }

  // Reads one more trace; false: all were read.
  bool readNext() { return list_->readNext(); }
  // The trace that was chosen.
  std::optional<std::string> draw(const CommandSet &commands, const Theme &theme, ImVec2 origin,
                                  ImVec2 size);

private:
  std::optional<std::string> drawRows(bool isChosen, bool hasMoved, const Theme &theme);
  void drawCells(const InstanceRow &row, bool isRead, Table &table, const Theme &theme) const;

  std::optional<InstanceList> list_;
  bool isShown_ = false;
  size_t current_ = 0; // the row that Enter opens
  Places places_;
};

} // namespace tilescope
