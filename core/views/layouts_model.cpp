#include "core/views/layouts_model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <iterator>

namespace tilescope {

namespace {

constexpr int64_t MostRows = 16;
constexpr int64_t MostColumns = 16;
constexpr int64_t Banks = 32;

// As in the text of a layout: 4@t1 and 2@r8.
struct TextDigit {
  int64_t extent = 1;
  bool onThread = false;
  int64_t stride = 0;
};
using TextDigits = std::vector<TextDigit>;

std::optional<int64_t> numberIn(llvm::StringRef text) {
  int64_t number = 0;
  return text.getAsInteger(10, number) || number < 1 || number > int64_t{1} << 30
             ? std::nullopt
             : std::optional(number);
}

// "2@t32 2@r1 8@t4"; nullopt if it is anything else.
std::optional<TextDigits> digitsIn(llvm::StringRef text) {
  TextDigits digits;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [extent, place] = word.split('@');
    if (place.empty()) {
      if (word != "1")
        return std::nullopt;
      continue;
    }
    std::optional<int64_t> number = numberIn(extent), stride = numberIn(place.drop_front());
    if (!number || !stride || (place.front() != 't' && place.front() != 'r'))
      return std::nullopt;
    digits.push_back({*number, place.front() == 't', *stride});
  }
  return digits;
}

int64_t extentOf(const TextDigits &digits) {
  int64_t extent = 1;
  for (const TextDigit &digit : digits)
    extent = std::min(extent * digit.extent, int64_t{1} << 30);
  return extent;
}

// Adds what a coordinate chooses of thread and register.
void choose(const TextDigits &digits, int64_t coordinate, int64_t &thread, int64_t &reg) {
  for (const TextDigit &digit : llvm::reverse(digits)) {
    (digit.onThread ? thread : reg) += coordinate % digit.extent * digit.stride;
    coordinate /= digit.extent;
  }
}

void setColumns(LayoutOfBuffer &view, int64_t columns, int64_t step) {
  view.isPart |= columns > MostColumns * step;
  for (int64_t column = 0; column < std::min(columns, MostColumns * step); column += step)
    view.columns.push_back(std::to_string(column));
}

void fillFragment(llvm::StringRef text, LayoutOfBuffer &view) {
  std::vector<TextDigits> dims;
  llvm::StringRef rest = text.split(';').first;
  while (!rest.empty()) {
    auto [dim, others] = rest.split('|');
    std::optional<TextDigits> digits = digitsIn(dim);
    if (!digits)
      return;
    dims.push_back(*std::move(digits));
    rest = others;
  }
  if (dims.empty())
    return;
  view.cells = "thread and register of each element";
  TextDigits none;
  const TextDigits &columns = dims.back();
  const TextDigits &rows = dims.size() > 1 ? dims[dims.size() - 2] : none;
  view.isPart = dims.size() > 2 || extentOf(rows) > MostRows;
  setColumns(view, extentOf(columns), 1);
  for (int64_t row = 0; row < std::min(extentOf(rows), MostRows); ++row) {
    LayoutRow made{std::to_string(row), {}};
    for (size_t column = 0; column < view.columns.size(); ++column) {
      int64_t thread = 0, reg = 0;
      choose(rows, row, thread, reg);
      choose(columns, static_cast<int64_t>(column), thread, reg);
      made.cells.push_back(llvm::formatv("t{0}r{1}", thread, reg).str());
    }
    view.rows.push_back(std::move(made));
  }
}

int64_t bitsOf(llvm::StringRef dtype) {
  if (dtype == "bool")
    return 8;
  llvm::StringRef digits =
      dtype.drop_until([](char c) { return c >= '0' && c <= '9'; }).take_while([](char c) {
        return c >= '0' && c <= '9';
      });
  return numberIn(digits).value_or(0);
}

// Cells are chunks of 16 bytes, or less of a short row.
void fillShared(const BufferRecord &record, LayoutOfBuffer &view) {
  std::vector<int64_t> shape;
  llvm::transform(record.shape, std::back_inserter(shape),
                  [](const std::string &extent) { return numberIn(extent).value_or(0); });
  int64_t bits = bitsOf(record.dtype);
  if (shape.empty() || llvm::is_contained(shape, 0) || bits == 0)
    return;
  llvm::StringRef layout = view.layout;
  bool isPadded = layout.consume_front("padded("), isSwizzled = layout.consume_front("swizzle(");
  int64_t number = numberIn(layout.take_until([](char c) { return c == ')'; })).value_or(0);
  if ((isPadded || isSwizzled) ? number == 0 : view.layout != "row_major")
    return;
  int64_t columns = shape.back();
  int64_t rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  int64_t step = std::min(columns, std::max<int64_t>(1, 128 / bits));
  view.cells =
      llvm::formatv("first bank of every {0} {1}", step, step == 1 ? "element" : "elements");
  view.isPart = shape.size() > 2 || rows > MostRows;
  setColumns(view, columns, step);
  for (int64_t row = 0; row < std::min(rows, MostRows); ++row) {
    LayoutRow made{std::to_string(row), {}};
    for (size_t cell = 0; cell < view.columns.size(); ++cell) {
      int64_t byte = static_cast<int64_t>(cell) * step * bits / 8;
      int64_t at = (row * (columns + (isPadded ? number : 0))) * bits / 8 + byte;
      if (isSwizzled) {
        int64_t chunks = std::max<int64_t>(number / 16, 1);
        int64_t chunk = (byte % number / 16) ^ (row / std::max<int64_t>(8 / chunks, 1) % chunks);
        at = (byte / number * rows + row) * number + chunk * 16 + byte % 16;
      }
      made.cells.push_back(std::to_string(at / 4 % Banks));
    }
    view.rows.push_back(std::move(made));
  }
}

LayoutOfBuffer layoutOf(const PassState &state, const BufferRecord &record) {
  LayoutOfBuffer view;
  view.buffer = record.id;
  view.name = record.name;
  view.type = record.dtype;
  view.layout = record.layout;
  llvm::StringRef text = record.layout;
  if (text.consume_front("fragment(") && text.consume_back(")"))
    fillFragment(text, view);
  else if (isShared(record.scope))
    fillShared(record, view);
  for (const BankRecord &bank : record.banks) {
    LayoutAccess access{bank.stmt,       {}, {}, bank.isWrite, bank.laneBytes, bank.passes,
                        bank.leastPasses};
    if (const TraceLine *line = state.firstLineOf(bank.stmt)) {
      access.sourceLine = line->sourceLine();
      access.text = llvm::StringRef(line->text).trim().str();
    }
    view.accesses.push_back(std::move(access));
  }
  return view;
}

std::string conflictsText(const LayoutAccess &access) {
  if (access.passes == 0)
    return "not known";
  if (access.passes == access.leastPasses)
    return "none";
  return std::to_string(access.passes - access.leastPasses);
}

void printAccesses(const LayoutOfBuffer &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> table = {
      {"  line", "", "statement", "bytes a lane", "passes a warp", "conflicts"}};
  for (const LayoutAccess &access : view.accesses)
    table.push_back(
        {"  " + lineText("", access.sourceLine, ""), access.isWrite ? "writes" : "reads",
         access.text, std::to_string(access.laneBytes),
         access.passes == 0 ? "?" : std::to_string(access.passes), conflictsText(access)});
  printTable(out, table, 3);
}

} // namespace

LayoutsView buildLayouts(const PassState &state) {
  LayoutsView view;
  view.pass = state.place();
  for (const BufferRecord &record : *state.snapshot().buffers)
    if (!record.layout.empty())
      view.buffers.push_back(layoutOf(state, record));
  if (view.buffers.empty())
    view.summary = "no buffer has a layout yet: infer-layouts chooses them";
  return view;
}

void print(const LayoutsView &view, llvm::raw_ostream &out) {
  write(out, view.pass, {Ink::Strong});
  out << '\n';
  if (!view.summary.empty())
    out << view.summary << '\n';
  for (const LayoutOfBuffer &buffer : view.buffers) {
    out << '\n';
    write(out, buffer.name, {Ink::Strong});
    out << ": " << buffer.type << ", " << buffer.layout << '\n';
    if (!buffer.rows.empty()) {
      out << "  " << buffer.cells << (buffer.isPart ? ", in part" : "") << '\n';
      std::vector<std::vector<std::string>> table = {{"  "}};
      llvm::append_range(table.front(), buffer.columns);
      for (const LayoutRow &row : buffer.rows) {
        table.push_back({"  " + row.label});
        llvm::append_range(table.back(), row.cells);
      }
      printTable(out, table, 1);
    }
    if (!buffer.accesses.empty())
      printAccesses(buffer, out);
  }
}

} // namespace tilescope
