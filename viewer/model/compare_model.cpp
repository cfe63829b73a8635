#include "viewer/model/compare_model.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

namespace tilescope {

namespace {

std::string kernelText(const TraceHeader &header) {
  std::string text = header.file;
  if (!header.function.empty())
    text += ":" + header.function;
  return text + " for " + header.target;
}

using Values = std::map<std::string, std::string>;

Values valuesOf(const TraceHeader &header) {
  Values values;
  for (const std::vector<TraceParameter> *parameters : {&header.parameters, &header.passOptions})
    for (const TraceParameter &parameter : *parameters)
      values[parameter.name] = parameter.value;
  values["plan for"] = header.planFor.empty() ? "height" : header.planFor;
  values["patches"] = header.patches.empty() ? "none" : llvm::join(header.patches, ", ");
  values["stop after"] = header.stopAfter.empty() ? "none" : header.stopAfter;
  values["target"] = header.target;
  return values;
}

// "a,b{x=1}" -> "a,b"; options are compared one by one.
std::string withoutOptions(llvm::StringRef pipeline) {
  std::string names;
  for (auto [name, rest] = pipeline.split('{'); !name.empty();
       std::tie(name, rest) = rest.split('}').second.split('{'))
    names += name;
  return names;
}

// Arguments in the order of the kernel, what else was asked behind them.
std::vector<CompareSetting> settingsOf(const TraceHeader &before, const TraceHeader &after) {
  std::vector<CompareSetting> settings;
  Values left = valuesOf(before);
  Values right = valuesOf(after);
  auto add = [&](const std::string &name) {
    if (left[name] != right[name])
      settings.push_back({name, left[name], right[name]});
    left.erase(name);
    right.erase(name);
  };
  for (const TraceParameter &parameter : after.parameters)
    add(parameter.name);
  for (const TraceParameter &parameter : before.parameters)
    add(parameter.name);
  for (const auto &[name, value] : Values(right))
    add(name);
  for (const auto &[name, value] : Values(left))
    add(name);
  if (withoutOptions(before.pipeline) != withoutOptions(after.pipeline))
    settings.push_back({"pipeline", before.pipeline, after.pipeline});
  if (before.fileText != after.fileText)
    settings.push_back({"kernel file", "as before", "another text"});
  return settings;
}

CompareKernel kernelOf(const KernelDiff &diff) {
  CompareKernel kernel;
  const KernelState &newer = diff.after ? *diff.after : *diff.before;
  kernel.function = newer.function;
  kernel.capacityBytes = newer.capacityBytes;
  kernel.deltaBytes = diff.deltaBytes();
  kernel.isPreview =
      (diff.before && diff.before->isPreview) || (diff.after && diff.after->isPreview);
  if (diff.before) {
    kernel.bytesBefore = diff.before->peakBytes;
    kernel.blocksBefore = diff.before->blocksPerSm;
  }
  if (diff.after) {
    kernel.bytesAfter = diff.after->peakBytes;
    kernel.blocksAfter = diff.after->blocksPerSm;
  }
  return kernel;
}

std::optional<CompareSide> sideOf(const std::optional<BufferState> &state) {
  if (!state)
    return std::nullopt;
  return CompareSide{state->name, state->type, state->sizeBytes, state->offsetBytes};
}

bool isShared(const std::optional<BufferState> &state) {
  return state && llvm::StringRef(state->scope).starts_with("shared");
}

CompareBuffer bufferOf(const BufferDiff &diff) {
  CompareBuffer buffer;
  buffer.key = diff.state().key;
  buffer.name = diff.state().name;
  buffer.changes = diff.changes;
  buffer.before = sideOf(diff.before);
  buffer.after = sideOf(diff.after);
  auto bytes = [](const std::optional<CompareSide> &side) {
    return side ? side->sizeBytes.value_or(0) : 0;
  };
  // Of a corrupt trace any number.
  if (__builtin_sub_overflow(bytes(buffer.after), bytes(buffer.before), &buffer.deltaBytes))
    buffer.deltaBytes = 0;
  buffer.isShared = isShared(diff.before) || isShared(diff.after);
  buffer.hueDegrees = hueDegrees(buffer.key);
  return buffer;
}

void addBuffers(const std::vector<BufferDiff> &diffs, CompareView &view) {
  for (const BufferDiff &diff : diffs) {
    CompareBuffer buffer = bufferOf(diff);
    if (buffer.isShared || !buffer.changes.empty())
      view.buffers.push_back(std::move(buffer));
    else
      ++view.sameElsewhere;
  }
  llvm::stable_sort(view.buffers, [](const CompareBuffer &a, const CompareBuffer &b) {
    if (a.isShared != b.isShared)
      return a.isShared;
    if (a.changes.empty() != b.changes.empty())
      return b.changes.empty();
    return !a.changes.empty() && a.changes.front() < b.changes.front();
  });
}

ComparePass passOf(const PassDiff &diff, const Trace &trace, const Trace &other) {
  const TracePass &pass = diff.after ? trace.passes[*diff.after] : other.passes[*diff.before];
  return {pass.name,        pass.depth,      diff.before,      diff.after,
          diff.bytesBefore, diff.bytesAfter, diff.deltaBytes()};
}

bool isEndLoaded(const Trace &trace) {
  return trace.passes.empty() || isLoaded(trace.snapshots[trace.passes.back().snapshot]);
}

std::string bytesText(std::optional<int64_t> bytes) {
  return bytes ? groupedNumber(*bytes) : "none";
}

std::string deltaText(int64_t bytes) { return bytes == 0 ? "the same" : signedNumber(bytes); }

// Growth is not red: it is no fault.
Ink deltaInk(int64_t bytes) { return bytes == 0 ? Ink{Ink::Quiet} : Ink{Ink::Notice}; }

void printPeaks(const CompareView &view, llvm::raw_ostream &out) {
  write(out, "peak", {Ink::Strong});
  out << ' ' << groupedNumber(view.peakBefore) << " -> " << groupedNumber(view.peakAfter)
      << " bytes, ";
  write(out, deltaText(view.peakAfter - view.peakBefore),
        deltaInk(view.peakAfter - view.peakBefore));
  out << '\n';
  for (const CompareKernel &kernel : view.kernels) {
    out << "  " << kernel.function << ": " << bytesText(kernel.bytesBefore) << " -> "
        << bytesText(kernel.bytesAfter);
    if (std::string blocks = blocksText(kernel); !blocks.empty())
      out << "; " << blocks;
    out << (kernel.isPreview ? " (preview)\n" : "\n");
  }
}

void printBuffers(const CompareView &view, llvm::raw_ostream &out) {
  if (view.buffers.empty())
    return;
  std::vector<std::vector<std::string>> rows{{"buffer", "is", "type", "before", "after", "bytes"}};
  for (const CompareBuffer &buffer : view.buffers) {
    bool isRenamed = llvm::is_contained(buffer.changes, BufferChange::Renamed);
    rows.push_back({isRenamed ? buffer.before->name + " -> " + buffer.name : buffer.name,
                    toText(buffer.changes), typesText(buffer), placeText(buffer.before),
                    placeText(buffer.after),
                    buffer.deltaBytes ? signedNumber(buffer.deltaBytes) : ""});
  }
  out << '\n';
  printTable(out, rows, 5, [&](size_t row, size_t column) {
    if (row == 0)
      return Ink{Ink::Strong};
    const CompareBuffer &buffer = view.buffers[row - 1];
    if (column == 0)
      return Ink::ofHue(buffer.hueDegrees);
    return buffer.changes.empty() ? Ink{Ink::Quiet} : column == 1 ? Ink{Ink::Notice} : Ink();
  });
}

void printPasses(const CompareView &view, llvm::raw_ostream &out) {
  std::vector<std::vector<std::string>> rows{{"pass", "", "before", "after", "bytes"}};
  for (const ComparePass &pass : view.passes)
    rows.push_back({std::string(2 * static_cast<size_t>(pass.depth), ' ') + pass.name,
                    !pass.before  ? "only after"
                    : !pass.after ? "only before"
                                  : "",
                    groupedNumber(pass.bytesBefore), groupedNumber(pass.bytesAfter),
                    pass.deltaBytes ? signedNumber(pass.deltaBytes) : ""});
  out << '\n';
  printTable(out, rows, 2);
  out << firstDifferenceText(view) << '\n';
}

} // namespace

CompareView buildCompare(const Trace &trace, const Trace &other, const Selection & /*selection*/) {
  TraceDiff diff = diffTraces(other, trace);
  CompareView view;
  view.kernelBefore = kernelText(other.header);
  view.kernelAfter = kernelText(trace.header);
  view.settings = settingsOf(other.header, trace.header);
  view.peakBefore = diff.peakBefore;
  view.peakAfter = diff.peakAfter;
  if (isEndLoaded(trace) && isEndLoaded(other)) {
    for (const KernelDiff &kernel : diff.kernels)
      view.kernels.push_back(kernelOf(kernel));
    addBuffers(diff.buffers, view);
  } else {
    view.missing = "the state after the last pass is not loaded: go there to compare buffers";
  }
  for (const PassDiff &pass : diff.passes)
    view.passes.push_back(passOf(pass, trace, other));
  TextDifference difference = firstTextDifference(other, trace, diff.passes);
  view.firstDifference = difference.pass;
  view.isFirstExact = difference.isExact;
  return view;
}

std::string placeText(const std::optional<CompareSide> &side) {
  if (!side)
    return "";
  if (!side->sizeBytes)
    return "sized at launch";
  if (!side->offsetBytes)
    return groupedNumber(*side->sizeBytes) + " bytes";
  return llvm::formatv("[{0}, {1})", groupedNumber(*side->offsetBytes),
                       groupedNumber(*side->offsetBytes + *side->sizeBytes));
}

std::string typesText(const CompareBuffer &buffer) {
  if (!buffer.before || !buffer.after)
    return (buffer.after ? buffer.after : buffer.before)->type;
  if (buffer.before->type == buffer.after->type)
    return buffer.after->type;
  return buffer.before->type + " -> " + buffer.after->type;
}

std::string firstDifferenceText(const CompareView &view) {
  if (view.firstDifference)
    return std::string(view.isFirstExact ? "the IR differs first after "
                                         : "the IR differs at the latest after ") +
           view.passes[*view.firstDifference].name;
  return view.isFirstExact ? "the IR is the same after every pass that both have"
                           : "the IR is the same after the passes that are loaded";
}

std::string blocksText(const CompareKernel &kernel) {
  auto text = [](const std::optional<int> &blocks) {
    return blocks ? std::to_string(*blocks) : "?";
  };
  if (!kernel.blocksBefore && !kernel.blocksAfter)
    return "";
  if (kernel.blocksBefore == kernel.blocksAfter)
    return text(kernel.blocksAfter) + (kernel.blocksAfter == 1 ? " block/SM" : " blocks/SM");
  return text(kernel.blocksBefore) + " -> " + text(kernel.blocksAfter) + " blocks/SM";
}

void print(const CompareView &view, llvm::raw_ostream &out) {
  out << "before  " << view.kernelBefore << "\nafter   " << view.kernelAfter << '\n';
  for (const CompareSetting &setting : view.settings)
    out << "  " << setting.name << ": " << setting.before << " -> " << setting.after << '\n';
  out << '\n';
  printPeaks(view, out);
  if (!view.missing.empty())
    out << view.missing << '\n';
  printBuffers(view, out);
  if (view.sameElsewhere)
    out << llvm::formatv("{0} {1} outside of shared memory {2} the same\n", view.sameElsewhere,
                         view.sameElsewhere == 1 ? "buffer" : "buffers",
                         view.sameElsewhere == 1 ? "is" : "are");
  printPasses(view, out);
}

} // namespace tilescope
