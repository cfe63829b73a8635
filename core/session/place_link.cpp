#include "core/session/place_link.h"

#include "core/session/workspace.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace tilescope {

namespace {

constexpr llvm::StringLiteral OptionBegin = " --";

// What a place is made of, in the order in which a link has it.
struct Word {
  llvm::StringLiteral name;
  std::string PlaceLink::*text; // nullptr: it is the line, a number
};
constexpr Word Words[] = {{"pass", &PlaceLink::pass},
                          {"buffer", &PlaceLink::buffer},
                          {"line", nullptr},
                          {"tab", &PlaceLink::tab}};

llvm::Error failure(const llvm::Twine &text) { return llvm::createStringError(text.str()); }

// Where a place begins; npos: there is none. "simplify#2" is no place.
size_t beginOfPlace(llvm::StringRef line) {
  size_t begin = llvm::StringRef::npos;
  for (const Word &word : Words)
    begin = std::min(begin, line.find(("#" + word.name + "=").str()));
  return begin;
}

// Words of an address are separated by "&", and end before blanks.
std::string escaped(llvm::StringRef value) {
  std::string text;
  for (char byte : value)
    if (llvm::isAlnum(byte) || llvm::StringRef("-_.[]#").contains(byte))
      text += byte;
    else
      text += "%" + llvm::toHex(llvm::StringRef(&byte, 1));
  return text;
}

std::string unescaped(llvm::StringRef value) {
  std::string text;
  while (!value.empty()) {
    uint8_t byte = 0;
    bool isEscape =
        value.size() > 2 && value.front() == '%' && !value.substr(1, 2).getAsInteger(16, byte);
    text += isEscape ? static_cast<char>(byte) : value.front();
    value = value.drop_front(isEscape ? 3 : 1);
  }
  return text;
}

llvm::Error setWord(llvm::StringRef text, PlaceLink &place) {
  auto [name, written] = text.split('=');
  const Word *word = llvm::find_if(Words, [&](const Word &one) { return one.name == name; });
  if (word == std::end(Words))
    return failure("a link has pass=, buffer=, line= and tab=, but not '" + name + "'");
  std::string value = unescaped(written);
  if (word->text)
    place.*word->text = std::move(value);
  else if (llvm::StringRef(value).getAsInteger(10, place.line) || place.line == 0)
    return failure("a link has line=NUMBER, from 1, not '" + text + "'");
  return llvm::Error::success();
}

llvm::Expected<size_t> passOfLink(llvm::StringRef name, const Trace &trace) {
  size_t index = 0;
  if (name.empty())
    return trace.passes.size() - 1;
  if (!name.getAsInteger(10, index) && index < trace.passes.size())
    return index;
  if (std::optional<size_t> pass = passOfPlace(trace, name))
    return *pass;
  return failure("no pass '" + name + "' in this trace");
}

} // namespace

llvm::Expected<LinkedName> splitLink(const std::string &line) {
  size_t begin = llvm::sys::fs::exists(line) ? llvm::StringRef::npos : beginOfPlace(line);
  llvm::StringRef place = llvm::StringRef(line).drop_front(std::min(begin, line.size()));
  place = place.take_front(place.find(OptionBegin));
  LinkedName linked{line, {}};
  if (place.empty())
    return linked;
  linked.name.erase(begin, place.size());
  llvm::SmallVector<llvm::StringRef> words;
  place.drop_front().rtrim().split(words, '&', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    if (llvm::Error error = setWord(word, linked.place))
      return error;
  return linked;
}

std::string linkTo(llvm::StringRef line, const PlaceLink &place) {
  std::vector<std::string> words;
  for (const Word &word : Words) {
    std::string number = place.line > 0 ? std::to_string(place.line) : "";
    const std::string &value = word.text ? place.*word.text : number;
    if (!value.empty())
      words.push_back((word.name + "=").str() + escaped(value));
  }
  llvm::StringRef name = line.take_front(line.find(OptionBegin));
  std::string link = words.empty() ? "" : "#" + llvm::join(words, "&");
  return (name + link + line.drop_front(name.size())).str();
}

PlaceLink placeOf(const Trace &trace, const Selection &selection, llvm::StringRef tab) {
  PlaceLink place{placeToFind(trace, selection.pass), "", selection.pinned.sourceLine.number,
                  tab.str()};
  if (!selection.pinned.buffer)
    return place;
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[selection.pass].snapshot];
  for (const BufferRecord &buffer : *snapshot.buffers)
    if (buffer.key == *selection.pinned.buffer)
      place.buffer = buffer.name;
  if (!place.buffer.empty() && selection.pinned.version >= 0)
    place.buffer += "[" + std::to_string(selection.pinned.version) + "]";
  return place;
}

llvm::Expected<Pick> pickOfBuffer(llvm::StringRef buffer, const Trace &trace, size_t pass) {
  auto [name, index] = buffer.split('[');
  Pick pick;
  bool isVersion = index.consume_back("]") && !index.getAsInteger(10, pick.version);
  for (const BufferRecord &record : *trace.snapshots[trace.passes[pass].snapshot].buffers)
    if (record.name == (isVersion ? name : buffer) && pick.version < record.versions) {
      pick.buffer = record.key;
      return pick;
    }
  return failure("no buffer '" + buffer + "' after pass " + trace.passes[pass].name);
}

llvm::Error goTo(const PlaceLink &place, Workspace &workspace) {
  const Trace &trace = *workspace.document().trace;
  llvm::Expected<size_t> pass = passOfLink(place.pass, trace);
  if (!pass)
    return pass.takeError();
  workspace.selection.selectPass(*pass);
  workspace.loadShown();
  Pick pick;
  if (!place.buffer.empty()) {
    llvm::Expected<Pick> found = pickOfBuffer(place.buffer, trace, *pass);
    if (!found)
      return found.takeError();
    pick = std::move(*found);
  }
  pick.sourceLine = place.line;
  if (!pick.isEmpty())
    workspace.selection.pin(std::move(pick));
  return llvm::Error::success();
}

} // namespace tilescope
