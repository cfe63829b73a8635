#include "core/diff/kernel_pairing.h"

#include "core/trace/trace_origin.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

namespace tilescope {

namespace {

using Compiles = std::vector<ComparedCompile>;
// What has to be equal.
using Mark = std::vector<std::string>;
using NameOf = llvm::function_ref<std::string(const ComparedCompile &)>;
using MarkOf = llvm::function_ref<Mark(const ComparedCompile &)>;

std::string lastName(const std::string &file) { return llvm::sys::path::filename(file).str(); }

class Pairing {
public:
  Pairing(const Compiles &before, const Compiles &after, SideNames names)
      : before_(before), after_(after), names_(names), partnersBefore_(before.size()),
        partnersAfter_(after.size()) {}

  void run() {
    if (names_ == SideNames::Recorded)
      return pairRecorded();
    pairBy([&](const auto &c) { return Mark{fileOf(c), c.function, c.arguments}; });
    pairWholeFiles();
    pairBy([](const auto &c) { return Mark{lastName(c.file), c.function, c.arguments}; });
    // In other files a kernel without a name may be any.
    pairBy(
        [](const auto &c) { return c.function.empty() ? Mark() : Mark{c.function, c.arguments}; });
    pairBy([&](const auto &c) { return Mark{fileOf(c), c.function}; }, OnlyEqualCounts);
    pairRenamedFunctions([&](const auto &c) { return fileOf(c); });
    pairRenamedFunctions([](const auto &c) { return lastName(c.file); });
    pairBy([](const auto &c) { return c.function.empty() ? Mark() : Mark{c.function}; },
           OnlyEqualCounts);
  }

  std::vector<KernelPair> pairs() const {
    std::vector<KernelPair> pairs;
    pairs.reserve(after_.size());
    for (size_t i = 0; i < after_.size(); ++i)
      pairs.push_back({partnersAfter_[i], i});
    for (size_t i = 0; i < before_.size(); ++i)
      if (!partnersBefore_[i])
        pairs.push_back({i, std::nullopt});
    return pairs;
  }

private:
  enum Counts { AnyCounts, OnlyEqualCounts, OnlyOne };
  using Leftovers = std::map<Mark, std::vector<size_t>>;

  std::string fileOf(const ComparedCompile &compile) const {
    return names_ == SideNames::OfFiles ? compile.file : "";
  }

  static Leftovers leftoversOf(const Compiles &compiles,
                               const std::vector<std::optional<size_t>> &partners, MarkOf markOf) {
    Leftovers leftovers;
    for (const auto &[index, compile] : llvm::enumerate(compiles))
      if (!partners[index])
        if (Mark mark = markOf(compile); !mark.empty())
          leftovers[std::move(mark)].push_back(index);
    return leftovers;
  }

  // Pairs leftovers of equal marks, in order; those of an empty mark are left.
  void pairBy(MarkOf markOf, Counts counts = AnyCounts) {
    Leftovers right = leftoversOf(after_, partnersAfter_, markOf);
    for (const auto &[mark, left] : leftoversOf(before_, partnersBefore_, markOf)) {
      const std::vector<size_t> &others = right[mark];
      if (counts == OnlyEqualCounts && left.size() != others.size())
        continue;
      if (counts == OnlyOne && (left.size() != 1 || others.size() != 1))
        continue;
      for (const auto &[one, other] : llvm::zip(left, others))
        join(one, other);
    }
  }

  void pairRecorded() {
    pairBy([](const auto &c) { return Mark{c.file, c.function, c.arguments, c.configuration}; });
    pairBy([](const auto &c) {
      return Mark{lastName(c.file), c.function, c.arguments, c.configuration};
    });
    pairBy([](const auto &c) { return Mark{c.function, c.arguments, c.configuration}; });
    pairBy([](const auto &c) { return Mark{c.function, c.arguments}; });
    pairBy([](const auto &c) { return Mark{c.file, c.function, c.target}; }, OnlyOne);
    pairBy([](const auto &c) { return Mark{lastName(c.file), c.function, c.target}; }, OnlyOne);
  }

  void pairWholeFiles() {
    for (const auto &[index, compile] : llvm::enumerate(after_))
      for (size_t other = 0; compile.isWholeFile && other < before_.size(); ++other)
        if (!partnersBefore_[other] && before_[other].file == compile.file) {
          partnersBefore_[other] = index;
          partnersAfter_[index] = partnersAfter_[index].value_or(other);
        }
    for (const auto &[index, compile] : llvm::enumerate(before_))
      for (size_t other = 0; compile.isWholeFile && other < after_.size(); ++other)
        if (!partnersAfter_[other] && after_[other].file == compile.file)
          join(index, other);
  }

  // Of files of which each side has one function left: by arguments, then in order.
  void pairRenamedFunctions(NameOf nameOf) {
    std::map<std::string, std::set<std::string>> functionsBefore, functionsAfter;
    for (const auto &[index, compile] : llvm::enumerate(before_))
      if (!partnersBefore_[index])
        functionsBefore[nameOf(compile)].insert(compile.function);
    for (const auto &[index, compile] : llvm::enumerate(after_))
      if (!partnersAfter_[index])
        functionsAfter[nameOf(compile)].insert(compile.function);
    auto isOnly = [&](const ComparedCompile &compile) {
      return functionsBefore[nameOf(compile)].size() == 1 &&
             functionsAfter[nameOf(compile)].size() == 1;
    };
    pairBy([&](const auto &c) { return isOnly(c) ? Mark{nameOf(c), c.arguments} : Mark(); });
    pairBy([&](const auto &c) { return isOnly(c) ? Mark{nameOf(c)} : Mark(); }, OnlyEqualCounts);
  }

  void join(size_t before, size_t after) {
    partnersBefore_[before] = after;
    partnersAfter_[after] = before;
  }

  const Compiles &before_;
  const Compiles &after_;
  SideNames names_;
  std::vector<std::optional<size_t>> partnersBefore_; // by index of that side
  std::vector<std::optional<size_t>> partnersAfter_;
};

} // namespace

std::string ComparedCompile::label() const {
  return function + (function.empty() || arguments.empty() ? "" : " ") + arguments;
}

std::vector<KernelPair> pairKernels(const std::vector<ComparedCompile> &before,
                                    const std::vector<ComparedCompile> &after, SideNames names) {
  if (before.size() == 1 && after.size() == 1 && names != SideNames::Recorded)
    return {{0, 0}};
  Pairing pairing(before, after, names);
  pairing.run();
  return pairing.pairs();
}

// As the kernel is written.
static std::set<std::string> tensorsOf(const Trace &trace) {
  std::set<std::string> names;
  for (const BufferRecord &buffer : *trace.snapshots.front().buffers)
    if (buffer.scope == BufferScope::Global)
      names.insert(buffer.name);
  return names;
}

bool mayBeOneKernel(const Trace &before, const Trace &after) {
  bool isPlan = isPlanAlone(before.header) || isPlanAlone(after.header);
  if (isPlan || before.snapshots.empty() || after.snapshots.empty())
    return true;
  int agreeing = (lastName(before.header.file) == lastName(after.header.file)) +
                 (before.header.function == after.header.function) +
                 (tensorsOf(before) == tensorsOf(after));
  return agreeing >= 2;
}

} // namespace tilescope
