// The instances of a folder of traces, a row each: what is opened before one of them is looked at.
// `tilescope show instances`, the page of `export`, and the viewer show it.
#pragma once

#include "core/trace/trace_fields.h"
#include "core/views/view.h"

namespace tilescope {

struct InstanceRow {
  std::string trace = {}; // name of the file
  std::string kernel = {};
  std::string arguments = {}; // "M=1024, N=1024"
  std::string target = {};
  std::string compiler = {}; // "tilescope 0.1.0", "tilelang 0.1.15"
  // Of dynamic shared memory, after the last pass; nothing: the compile failed.
  std::optional<int64_t> peakBytes = {};
  bool isPreview = false;
  Verdict sound = Verdict::NotEstablished; // as recorded
  std::string error = {};                  // why it cannot be read, or did not compile; ""
};

struct InstancesView {
  std::string folder;
  std::vector<InstanceRow> rows;
};

// `name` is the file's. The last state must be loaded, if there is a pass.
InstanceRow instanceRowOf(const Trace &trace, std::string name);

// The cells of a row, and their titles; the first `InstanceTextColumns` are aligned to the left.
std::vector<std::string> instanceTitles();
std::vector<std::string> instanceCells(const InstanceRow &row);
inline constexpr size_t InstanceTextColumns = 6;
inline constexpr size_t SoundColumn = 4;

void print(const InstancesView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, InstanceRow &row) {
  archive.always("trace", row.trace);
  archive.always("kernel", row.kernel);
  archive("arguments", row.arguments);
  archive.always("target", row.target);
  archive.always("compiler", row.compiler);
  archive("peakBytes", row.peakBytes);
  archive("isPreview", row.isPreview);
  archive.always("sound", row.sound);
  archive("error", row.error);
}

template <typename Archive> void fields(Archive &archive, InstancesView &view) {
  archive.always("folder", view.folder);
  archive.always("instances", view.rows);
}

} // namespace tilescope
