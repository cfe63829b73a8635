#include "core/sweep/sweep_csv.h"

#include "core/support/csv_line.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace tilescope {

namespace {

class CsvReader {
public:
  explicit CsvReader(llvm::StringRef name) : name_(name) {}

  llvm::Expected<SweepJournal> read(llvm::StringRef text) {
    SweepJournal sweep;
    sweep.header.format = SweepFormat;
    for (; !text.empty(); ++line_) {
      auto [line, rest] = text.split('\n');
      text = rest;
      llvm::Expected<std::vector<std::string>> cells = splitCsvLine(line.rtrim("\r"));
      if (!cells)
        return fault(llvm::toString(cells.takeError()));
      if (line_ == 1) {
        if (llvm::Error error = takeHeading(*cells, sweep.header.grid))
          return error;
      } else if (cells->size() != columns_) {
        return fault(std::to_string(cells->size()) + " fields, the heading has " +
                     std::to_string(columns_));
      } else if (llvm::Error error = takeRow(*cells, sweep)) {
        return error;
      }
    }
    if (sweep.rows.empty())
      return llvm::createStringError("'" + name_ + "' has no point of a sweep");
    if (llvm::Error error = checkPoints(sweep.header.grid))
      return error;
    return sweep;
  }

private:
  llvm::Error fault(const llvm::Twine &cause) const {
    return llvm::createStringError("'" + name_ + "' is no CSV of a sweep: line " +
                                   llvm::Twine(line_) + ": " + cause);
  }

  // "target", then names of arguments and of options of passes up to the first figure.
  llvm::Error takeHeading(const std::vector<std::string> &cells, SweepGrid &grid) {
    size_t figures = llvm::find(cells, "peakBytes") - cells.begin();
    time_ = llvm::find(cells, "medianNs") - cells.begin();
    error_ = llvm::find(cells, "error") - cells.begin();
    columns_ = cells.size();
    if (cells.front() != "target" || figures == columns_ || error_ == columns_)
      return fault("its columns are not target, arguments, peakBytes ... error");
    if (time_ == columns_)
      return fault("there is no column medianNs: its points were not timed");
    for (const std::string &name : llvm::ArrayRef(cells).take_front(figures).drop_front())
      grid.axes.push_back({name, {}, name.find('.') != std::string::npos});
    return llvm::Error::success();
  }

  llvm::Error takeRow(const std::vector<std::string> &cells, SweepJournal &sweep) {
    auto note = [](std::vector<std::string> &values, const std::string &value) {
      if (!llvm::is_contained(values, value))
        values.push_back(value);
    };
    SweepGrid &grid = sweep.header.grid;
    note(grid.targets, cells.front());
    for (size_t axis = 0; axis != grid.axes.size(); ++axis)
      note(grid.axes[axis].values, cells[axis + 1]);
    settings_.emplace_back(cells.begin(), cells.begin() + 1 + grid.axes.size());
    SweepRow row;
    row.point = sweep.rows.size();
    row.error = cells[error_];
    int64_t time = 0;
    bool isTime = !llvm::StringRef(cells[time_]).getAsInteger(10, time) && time >= 0;
    if (row.error.empty() && !isTime)
      return fault("'" + cells[time_] + "' is no time");
    if (row.error.empty())
      row.figures.medianNs = time;
    sweep.rows.push_back(std::move(row));
    return llvm::Error::success();
  }

  // Lines are numbered as points only if they are all points of the grid in its order.
  llvm::Error checkPoints(const SweepGrid &grid) const {
    if (llvm::Error error = checkGrid(grid))
      return llvm::createStringError("'" + name_ + "': " + llvm::toString(std::move(error)));
    bool areAll = grid.size() == settings_.size();
    for (uint64_t i = 0; areAll && i != settings_.size(); ++i) {
      SweepPoint point = grid.point(i);
      std::vector<std::string> values{point.target};
      for (const auto &[name, value] : point.settings())
        values.push_back(value);
      areAll = values == settings_[i];
    }
    return areAll ? llvm::Error::success()
                  : llvm::createStringError("'" + name_ +
                                            "' does not have all points of a grid, in "
                                            "its order");
  }

  std::string name_;
  size_t line_ = 1;
  size_t columns_ = 0, time_ = 0, error_ = 0;      // which ones
  std::vector<std::vector<std::string>> settings_; // target and values of each row
};

} // namespace

llvm::Expected<SweepJournal> readSweepCsv(llvm::StringRef text, llvm::StringRef name) {
  return CsvReader(name).read(text);
}

} // namespace tilescope
