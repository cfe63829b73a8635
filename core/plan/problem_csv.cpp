#include "core/plan/problem_csv.h"

#include "core/support/csv_line.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr size_t MaxCsvBuffers = 100'000;
constexpr int64_t MaxTotalBytes = int64_t(1) << 44;

struct Column {
  llvm::StringRef name;
  llvm::StringRef aliases; // other names that minimalloc reads, separated by spaces
  bool isRequired;
};

enum : size_t {
  IdColumn,
  LowerColumn,
  UpperColumn,
  SizeColumn,
  AlignmentColumn,
  GapsColumn,
  OffsetColumn,
  ColumnCount
};
constexpr Column Columns[ColumnCount] = {
    {"id", "buffer buffer_id", true},
    {"lower", "begin start", true},
    {"upper", "end", true},
    {"size", "", true},
    {"alignment", "", false},
    {"gaps", "", false},
    {"offset", "", false},
};

struct TimeSpan {
  int64_t begin = 0; // half-open
  int64_t end = 0;
};

// Enough of a line to know it by.
std::string clipped(llvm::StringRef line) {
  constexpr size_t Most = 80;
  return line.size() <= Most ? line.str() : line.take_front(Most).str() + "...";
}

bool isNamed(const Column &column, llvm::StringRef name) {
  return name == column.name ||
         (!name.empty() && llvm::is_contained(llvm::split(column.aliases, ' '), name));
}

bool isUtf8(llvm::StringRef text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  return llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8 *>(text.end()));
}

class CsvReader {
public:
  explicit CsvReader(llvm::StringRef path) : path_(path) {}

  llvm::Expected<CsvProblem> read(llvm::StringRef text) {
    text.consume_front("\xef\xbb\xbf");
    while (!text.empty()) {
      auto [line, rest] = text.split('\n');
      text = rest;
      ++line_;
      line.consume_back("\r");
      if (!isUtf8(line))
        return failure("is not UTF-8");
      if (line.trim(" \t").empty())
        continue;
      if (llvm::Error error = csv_.header.empty() ? readHeader(line) : readRow(line))
        return error;
    }
    if (csv_.header.empty())
      return failure("has no header; it names the columns id, lower, upper and size");
    rankTimes();
    return std::move(csv_);
  }

private:
  template <typename... Values>
  llvm::Error failure(const char *format, const Values &...values) const {
    std::string text = llvm::formatv(format, values...);
    return llvm::createStringError(
        llvm::formatv("{0}:{1}: {2}", path_, std::max(line_, 1), text).str());
  }

  llvm::Error readHeader(llvm::StringRef line) {
    if (llvm::Error error = split(line))
      return error;
    csv_.header = fields_;
    for (auto [index, name] : llvm::enumerate(fields_)) {
      isInclusive_ |= name == "end";
      for (size_t column = 0; column != ColumnCount; ++column) {
        if (!isNamed(Columns[column], name))
          continue;
        if (fieldOf_[column])
          return failure("column '{0}' stands twice", Columns[column].name);
        fieldOf_[column] = index;
      }
    }
    for (size_t column = 0; column != ColumnCount; ++column)
      if (Columns[column].isRequired && !fieldOf_[column])
        return failure("column '{0}' is missing; the header is '{1}'", Columns[column].name,
                       clipped(line));
    return llvm::Error::success();
  }

  llvm::Error readRow(llvm::StringRef line) {
    if (llvm::Error error = split(line))
      return error;
    if (fields_.size() != csv_.header.size())
      return failure("{0} fields, but the header has {1} columns", fields_.size(),
                     csv_.header.size());
    if (csv_.rows.size() == MaxCsvBuffers)
      return failure("more than {0} buffers", MaxCsvBuffers);
    ArenaBuffer buffer;
    buffer.id = BufferId(static_cast<uint32_t>(csv_.rows.size()));
    buffer.name = field(IdColumn).str();
    buffer.alignmentBytes = 1;
    if (buffer.name.empty())
      return failure("the id is empty");
    if (auto [known, isNew] = lineOf_.try_emplace(buffer.name, line_); !isNew)
      return failure("id '{0}' stands in line {1} already", buffer.name, known->second);
    if (llvm::Error error = readBytes(buffer))
      return error;
    if (llvm::Error error = readLife())
      return error;
    csv_.problem.buffers.push_back(std::move(buffer));
    csv_.rows.push_back(fields_);
    csv_.rowLines.push_back(static_cast<uint32_t>(line_));
    return llvm::Error::success();
  }

  llvm::Error split(llvm::StringRef line) {
    if (llvm::Error error = splitCsvLine(line).moveInto(fields_))
      return failure("{0}", llvm::toString(std::move(error)));
    return llvm::Error::success();
  }

  llvm::StringRef field(size_t column) const {
    return fieldOf_[column] ? llvm::StringRef(fields_[*fieldOf_[column]]) : llvm::StringRef();
  }

  llvm::Error readNumber(llvm::StringRef text, llvm::StringRef name, int64_t &value) const {
    if (text.getAsInteger(10, value))
      return failure("{0} '{1}' is no integer of 64 bits", name, text);
    if (value < 0)
      return failure("{0} {1} is negative", name, value);
    return llvm::Error::success();
  }

  llvm::Error readBytes(ArenaBuffer &buffer) {
    int64_t offset = 0;
    if (llvm::Error error = readNumber(field(SizeColumn), "size", buffer.sizeBytes))
      return error;
    if (!field(AlignmentColumn).empty())
      if (llvm::Error error =
              readNumber(field(AlignmentColumn), "alignment", buffer.alignmentBytes))
        return error;
    if (buffer.alignmentBytes == 0)
      return failure("alignment 0; the least is 1");
    if (!field(OffsetColumn).empty()) {
      if (llvm::Error error = readNumber(field(OffsetColumn), "offset", offset))
        return error;
      if (offset % buffer.alignmentBytes != 0)
        return failure("offset {0} is no multiple of the alignment {1}", offset,
                       buffer.alignmentBytes);
      buffer.pinnedOffset = offset;
    }
    for (int64_t bytes : {buffer.sizeBytes, buffer.alignmentBytes, offset}) {
      if (bytes > MaxTotalBytes - totalBytes_)
        return failure("sizes, alignments and offsets up to here exceed {0} bytes", MaxTotalBytes);
      totalBytes_ += bytes;
    }
    buffer.strideBytes = buffer.sizeBytes;
    return llvm::Error::success();
  }

  llvm::Error readSpan(llvm::StringRef lower, llvm::StringRef upper, llvm::StringRef what,
                       TimeSpan &span) const {
    if (llvm::Error error = readNumber(lower, (what + " lower").str(), span.begin))
      return error;
    if (llvm::Error error = readNumber(upper, (what + " upper").str(), span.end))
      return error;
    if (isInclusive_ && span.end == INT64_MAX)
      return failure("{0} upper {1} is too large", what, upper);
    span.end += isInclusive_;
    if (span.begin >= span.end)
      return failure("{0} [{1}, {2}) is empty", what, span.begin, span.end);
    return llvm::Error::success();
  }

  // The lifetime without its gaps.
  llvm::Error readLife() {
    TimeSpan whole;
    if (llvm::Error error = readSpan(field(LowerColumn), field(UpperColumn), "lifetime", whole))
      return error;
    std::vector<TimeSpan> life;
    llvm::SmallVector<llvm::StringRef> gaps;
    field(GapsColumn).split(gaps, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef text : gaps) {
      if (text.contains('@'))
        return failure("gap '{0}' has a window, which is not supported", text);
      auto [lower, upper] = text.split('-');
      TimeSpan gap;
      if (llvm::Error error = readSpan(lower, upper, "gap", gap))
        return error;
      if (gap.begin < whole.begin || gap.end > whole.end)
        return failure("gap '{0}' is not within the lifetime or not after the gap before it", text);
      if (gap.begin > whole.begin)
        life.push_back({whole.begin, gap.begin});
      whole.begin = gap.end;
    }
    if (whole.begin < whole.end)
      life.push_back(whole);
    for (const TimeSpan &span : life) {
      csv_.times.push_back(span.begin);
      csv_.times.push_back(span.end);
    }
    lives_.push_back(std::move(life));
    return llvm::Error::success();
  }

  void rankTimes() {
    std::vector<int64_t> &times = csv_.times;
    llvm::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    auto rank = [&](int64_t time) {
      return static_cast<ProgramPoint>(llvm::lower_bound(times, time) - times.begin());
    };
    for (auto [buffer, life] : llvm::zip_equal(csv_.problem.buffers, lives_))
      for (const TimeSpan &span : life)
        buffer.live.push_back({rank(span.begin), rank(span.end)});
  }

  llvm::StringRef path_;
  int line_ = 0;
  CsvProblem csv_;
  std::optional<size_t> fieldOf_[ColumnCount];
  bool isInclusive_ = false;
  llvm::StringMap<int> lineOf_;     // of an id
  std::vector<std::string> fields_; // of the line that is read
  std::vector<std::vector<TimeSpan>> lives_;
  int64_t totalBytes_ = 0;
};

} // namespace

llvm::Expected<CsvProblem> readProblemCsv(llvm::StringRef text, llvm::StringRef path) {
  return CsvReader(path).read(text);
}

std::string writePlanCsv(const CsvProblem &csv, const ArenaPlan &plan) {
  size_t offsetColumn = llvm::find(csv.header, "offset") - csv.header.begin();
  std::vector<std::string> header = csv.header;
  header.resize(std::max(header.size(), offsetColumn + 1), "offset");
  auto lineOf = [](const std::vector<std::string> &fields) {
    return llvm::join(llvm::map_range(fields, csvField), ",") + "\n";
  };
  std::string text = lineOf(header);
  for (auto [row, placement] : llvm::zip_equal(csv.rows, plan.placements)) {
    std::vector<std::string> fields = row;
    fields.resize(header.size());
    fields[offsetColumn] = std::to_string(placement.offsetBytes);
    text += lineOf(fields);
  }
  return text;
}

} // namespace tilescope
