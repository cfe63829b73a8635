// One buffer through the passes: who made it, what each pass changed of it, who removed it.
#pragma once

#include "core/views/view.h"

#include "llvm/Support/Error.h"

namespace tilescope {

enum class BufferEventKind : uint8_t {
  Created,
  Renamed,
  Retyped, // dtype or shape
  Rescoped,
  Versioned,
  RelaidOut,
  Placed, // an offset, of the buffer table
  Removed,
};

struct BufferEvent {
  size_t pass = 0; // index into Trace::passes
  std::string passName;
  BufferEventKind kind = BufferEventKind::Created;
  std::string text; // "1 -> 2 versions"
  // False: passes before it are not loaded, and one of them may have done it.
  bool isExact = true;
};

// "versioned", "placed", ...
const char *nameOf(BufferEventKind kind);

// "inject-pipeline"; "inject-pipeline or before" where that is not known.
std::string passText(const BufferEvent &event);

// Ids are the same in all snapshots of a trace. Passes that failed are told of too, since what they
// left is what their snapshot shows.
std::vector<BufferEvent> historyOf(const Trace &trace, BufferId id);

struct BufferPlace {
  BufferId id;
  size_t pass = 0; // the pass after which `record` holds
  const BufferRecord *record = nullptr;
};

// The buffer of a key as the selected pass leaves it; where it does not exist then, as the last
// pass before that knew it leaves it, else as it was first. The function of a key counts only where
// several fit, since splitting host and device changes its name. nullopt: no pass knows it.
std::optional<BufferPlace> findBuffer(const Trace &trace, const Selection &selection,
                                      const BufferKey &key);

// By name, or by key as text ("matmul/A_shared#1"). The error lists what fits, or what there is.
llvm::Expected<BufferKey> bufferKeyOf(const Trace &trace, const Selection &selection,
                                      llvm::StringRef name);

template <> struct EnumNames<BufferEventKind> {
  static constexpr const char *Names[] = {"created",   "renamed",  "retyped", "rescoped",
                                          "versioned", "laid-out", "placed",  "removed"};
};

template <typename Archive> void fields(Archive &archive, BufferEvent &event) {
  archive.always("pass", event.pass);
  archive("passName", event.passName);
  archive.always("kind", event.kind);
  archive("text", event.text);
  archive("exact", event.isExact);
}

} // namespace tilescope
