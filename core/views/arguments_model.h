// Panel `arguments`: what a kernel was compiled with, and what else each argument and each option
// of a pass could be.
#pragma once

#include "core/views/peak_arguments.h"

namespace tilescope {

struct ArgumentRow {
  std::string name;
  std::string type;         // as in TraceParameter
  std::string value;        // a Python literal; of a pass option as a pipeline has it
  std::string defaultValue; // "" if it has none
  // What a slider or a list offers, in order; as `value`. Empty: anything, to be typed.
  std::vector<std::string> stops;
};

// That the kernel file lists in its "# tilescope:" lines.
struct ArgumentInstance {
  std::string label; // "matmul --set M=1024"
  std::string function;
  std::vector<std::pair<std::string, std::string>> arguments; // name and value
  std::string target;                                         // "": any
  std::vector<std::pair<std::string, std::string>> passOptions;
};

struct ArgumentsView {
  std::string kernel; // "gemm.py:matmul"
  std::string target;
  std::vector<std::string> targets; // that can be compiled for
  std::string planFor;              // "height" or "occupancy"
  std::vector<std::string> plansFor;
  std::vector<ArgumentRow> arguments;
  std::vector<ArgumentRow> passOptions; // "inject-pipeline.peel-epilogue"
  // Of those who have the kernel file, and who compile it with other arguments.
  std::vector<ArgumentInstance> instances;
  PeakTrials trials;
};

// What else is to be told of it, in lines. `help`: what it does; "": that is not known.
std::string detailsOf(const ArgumentRow &row, llvm::StringRef help);

// The stops of an integer that has `known` values in use: the powers of two around them if they all
// are such, else whole numbers from 0 for small values, else multiples of a power of two.
std::vector<int64_t> integerStops(std::vector<int64_t> known);

ArgumentsView buildArguments(const Trace &trace, const Selection &selection);
void print(const ArgumentsView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, ArgumentRow &row) {
  archive("name", row.name);
  archive("type", row.type);
  archive("value", row.value);
  archive("default", row.defaultValue);
  archive("stops", row.stops);
}

template <typename Archive> void fields(Archive &archive, ArgumentInstance &instance) {
  archive("label", instance.label);
  archive("function", instance.function);
  archive("arguments", instance.arguments);
  archive("target", instance.target);
  archive("passOptions", instance.passOptions);
}

template <typename Archive> void fields(Archive &archive, ArgumentsView &view) {
  archive("kernel", view.kernel);
  archive("target", view.target);
  archive("targets", view.targets);
  archive("planFor", view.planFor);
  archive("plansFor", view.plansFor);
  archive.always("arguments", view.arguments);
  archive.always("passOptions", view.passOptions);
  archive("instances", view.instances);
  archive("trials", view.trials);
}

} // namespace tilescope
