// Lines of device code, each with its statement and its line of the kernel file.
#pragma once

#include "viewer/panels/widgets/text_pane.h"

namespace tilescope {

// `Line` has text, stmt, sourceLine and names. Lines and states outlive it, one state a line.
template <typename Line> class CodeRows : public TextRows {
public:
  CodeRows(const std::vector<Line> &lines, const std::vector<CodeState> &states)
      : lines_(lines), states_(states) {}

  size_t count() const override { return lines_.size(); }

  std::optional<TextLine> at(size_t row, size_t /*column*/) const override {
    const Line &line = lines_[row];
    TextLine result;
    result.text = line.text;
    result.number = static_cast<uint32_t>(row) + 1;
    result.stmt = line.stmt;
    result.sourceLine = line.sourceLine;
    result.names = line.names;
    result.language = CodeLanguage::Cuda;
    result.state = states_[row];
    return result;
  }

private:
  const std::vector<Line> &lines_;
  const std::vector<CodeState> &states_;
};

} // namespace tilescope
