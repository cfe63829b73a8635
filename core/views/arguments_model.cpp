#include "core/views/arguments_model.h"

#include "core/target/target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr int64_t LeastTile = 16;
constexpr int64_t SmallValue = 8; // stages, splits, warps
constexpr int64_t MostStops = 64;

bool isPowerOfTwo(int64_t value) {
  return value > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(value));
}

std::optional<int64_t> integerOf(llvm::StringRef literal) {
  int64_t value = 0;
  if (literal.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

std::vector<int64_t> range(int64_t first, int64_t last, int64_t step) {
  std::vector<int64_t> stops;
  for (int64_t value = first; value <= last; value += step)
    stops.push_back(value);
  return stops;
}

std::vector<std::string> stopsOf(const TraceParameter &parameter) {
  if (parameter.type == "bool" && parameter.choices.empty())
    return {"False", "True"};
  if (parameter.type != "int")
    return parameter.choices;
  std::vector<int64_t> known;
  for (const std::string &literal : parameter.choices)
    if (std::optional<int64_t> value = integerOf(literal))
      known.push_back(*value);
  for (const std::string *literal : {&parameter.value, &parameter.defaultValue})
    if (std::optional<int64_t> value = integerOf(*literal))
      known.push_back(*value);
  std::vector<std::string> stops;
  for (int64_t value : integerStops(std::move(known)))
    stops.push_back(std::to_string(value));
  return stops;
}

std::vector<ArgumentRow> rowsOf(const std::vector<TraceParameter> &parameters) {
  std::vector<ArgumentRow> rows;
  rows.reserve(parameters.size());
  for (const TraceParameter &parameter : parameters)
    rows.push_back({parameter.name, parameter.type, parameter.value, parameter.defaultValue,
                    stopsOf(parameter)});
  return rows;
}

// "16 32 64 ... 2048" of a long list.
std::string stopsText(const std::vector<std::string> &stops) {
  constexpr size_t Shown = 12;
  if (stops.size() <= Shown)
    return llvm::join(stops, " ");
  return llvm::join(stops.begin(), stops.begin() + Shown - 1, " ") + " ... " + stops.back();
}

void printRows(const char *kind, const std::vector<ArgumentRow> &rows, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> cells{{kind, "type", "value", "default", "could be"}};
  for (const ArgumentRow &row : rows)
    cells.push_back({row.name, row.type, row.value, row.defaultValue, stopsText(row.stops)});
  out << '\n';
  printTable(out, cells, cells[0].size());
}

} // namespace

std::string detailsOf(const ArgumentRow &row, llvm::StringRef help) {
  std::string text = row.name + ": " + row.type;
  if (!row.defaultValue.empty())
    text += ", by default " + row.defaultValue;
  if (row.type == "int" && !row.stops.empty())
    text += "\nfrom " + row.stops.front() + " to " + row.stops.back() + "; others can be typed";
  return help.empty() ? text : text + "\n" + help.str();
}

std::vector<int64_t> integerStops(std::vector<int64_t> known) {
  llvm::erase_if(known, [](int64_t value) { return value < 0 || value > (int64_t(1) << 40); });
  if (known.empty())
    return {};
  auto [least, most] = std::minmax_element(known.begin(), known.end());
  int64_t high = *most;
  int64_t low = *least;
  if (high <= SmallValue)
    return range(0, SmallValue, 1);
  std::vector<int64_t> stops;
  if (llvm::all_of(known, isPowerOfTwo)) {
    for (int64_t value = std::min(low, LeastTile); value <= 4 * high; value *= 2)
      stops.push_back(value);
    return stops;
  }
  int64_t step = 1;
  while (high / step > MostStops / 2)
    step *= 2;
  stops = range(step, 2 * high, step);
  stops.insert(stops.end(), known.begin(), known.end());
  llvm::sort(stops);
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  return stops;
}

ArgumentsView buildArguments(const Trace &trace, const Selection & /*selection*/) {
  ArgumentsView view;
  view.kernel = llvm::sys::path::filename(trace.header.file).str() + ":" + trace.header.function;
  view.target = trace.header.target;
  for (const Target &target : allTargets())
    view.targets.push_back(target.name.str());
  view.planFor = trace.header.planFor.empty() ? "height" : trace.header.planFor;
  view.plansFor = {"height", "occupancy"};
  view.arguments = rowsOf(trace.header.parameters);
  view.passOptions = rowsOf(trace.header.passOptions);
  return view;
}

void print(const ArgumentsView &view, llvm::raw_ostream &out) {
  out << view.kernel << " for " << view.target << ", plan for " << view.planFor << '\n';
  printRows("argument", view.arguments, out);
  if (!view.passOptions.empty())
    printRows("pass option", view.passOptions, out);
  if (!view.instances.empty())
    out << "\ninstances that the file lists\n";
  for (const ArgumentInstance &instance : view.instances)
    out << "  " << instance.label << '\n';
  print(view.trials, out);
}

} // namespace tilescope
