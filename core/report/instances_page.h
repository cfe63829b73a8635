// The traces of a folder as one page: a table of instances, and below it the report of each,
// folded.
//
//     page ids: i0, i1, ... (a report)   i0-pass-3, i0-source-65, ... (see html_report.h)
#pragma once

#include "core/exports/html_writer.h"
#include "core/report/html_report.h"
#include "core/views/instances_model.h"

namespace tilescope {

// Reports share the room that is left, so each is as short as their number demands; one that would
// have no room is left out, and the page says so.
class InstancesPage {
public:
  // `count` instances are to come. A page of at most `maxBytes`, at least LeastReportBytes.
  InstancesPage(std::string folder, size_t count, size_t maxBytes);

  // Of a trace with passes.
  void add(const InstanceRow &row, const Trace &trace, const Judgement &judgement);
  // Of one that cannot be read or shown, as `row.error` says.
  void add(const InstanceRow &row);

  HtmlReport take();

private:
  void writeRow(const InstanceRow &row, const std::string &target);
  size_t roomOfNext() const;

  std::string folder_;
  size_t left_; // that are to come
  size_t maxBytes_;
  HtmlWriter table_;
  std::string reports_;
  size_t written_ = 0; // rows
  size_t rowsLeftOut_ = 0;
  std::vector<std::string> leftOut_;
};

} // namespace tilescope
