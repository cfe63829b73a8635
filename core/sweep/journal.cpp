#include "core/sweep/journal.h"

#include "core/support/number_text.h"
#include "core/sweep/json_line.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include <unistd.h>

namespace tilescope {

namespace {

// A figure of shared memory, registers or code above this is none of ours.
constexpr int64_t MaxFigure = int64_t(1) << 50;

std::string faultOf(const SweepHeader &header) {
  if (header.format != SweepFormat)
    return llvm::formatv("its format is {0}, not {1}", header.format, SweepFormat);
  if (llvm::Error error = checkGrid(header.grid))
    return llvm::toString(std::move(error));
  const SweepShard &shard = header.shard;
  bool isShard = shard.index >= 1 && shard.index <= shard.count && shard.count <= MaxSweepPoints;
  return isShard ? "" : "its shard is none";
}

std::string faultOf(const SweepRow &row, const SweepHeader &header) {
  if (row.point >= header.grid.size())
    return llvm::formatv("the grid has no point {0}", row.point);
  if (!header.shard.holds(row.point))
    return llvm::formatv("point {0} is not of its shard", row.point);
  const SweepFigures &figures = row.figures;
  for (int64_t figure :
       {figures.peakBytes, figures.blocksPerSm.value_or(0), figures.barriers, figures.stages,
        figures.registers.value_or(0), figures.spillBytes.value_or(0), figures.medianNs.value_or(0),
        figures.smMhz.value_or(0), figures.watts.value_or(0), figures.celsius.value_or(0)})
    if (figure < 0 || figure > MaxFigure)
      return llvm::formatv("point {0} has the figure {1}", row.point, figure);
  if (figures.globalBytes.value_or(0) < 0)
    return llvm::formatv("point {0} has the figure {1}", row.point, *figures.globalBytes);
  return "";
}

llvm::Error isTwice(uint64_t point, llvm::StringRef where) {
  return llvm::createStringError("point " + llvm::Twine(point) + " is twice in " + where);
}

std::string shardName(const SweepShard &shard) {
  return llvm::formatv("{0}/{1}", shard.index, shard.count);
}

// Which of the points are not there, by shard where shards are whole.
std::string missingText(const std::vector<bool> &isThere, const SweepShard &shard) {
  uint64_t missing = 0, first = 0;
  std::vector<std::pair<uint64_t, uint64_t>> ofShard(shard.count); // missing, all
  for (uint64_t point = isThere.size(); point-- > 0;) {
    auto &[lost, all] = ofShard[point % shard.count];
    ++all;
    if (isThere[point])
      continue;
    ++lost, ++missing;
    first = point;
  }
  std::string text =
      llvm::formatv(missing == 1 ? "{0} of {1} points is missing, point {2} (counted from 0);"
                                 : "{0} of {1} points are missing, the first is point {2} "
                                   "(counted from 0);",
                    groupedNumber(static_cast<int64_t>(missing)),
                    groupedNumber(static_cast<int64_t>(isThere.size())), first);
  constexpr int MostNamed = 8;
  int named = 0;
  for (const auto &[index, counts] : llvm::enumerate(ofShard)) {
    if (counts.first == 0 || named++ >= MostNamed)
      continue;
    text += llvm::formatv("{0} shard {1} lacks {2}", named == 1 ? "" : ",",
                          shardName({index + 1, shard.count}),
                          counts.first == counts.second ? "all" : std::to_string(counts.first));
  }
  return text + (named > MostNamed ? ", and so on" : "");
}

} // namespace

llvm::Expected<std::optional<SweepJournal>> readJournal(llvm::StringRef text,
                                                        llvm::StringRef name) {
  SweepJournal journal;
  size_t number = 0;
  std::string error;
  std::vector<bool> isThere;
  auto fault = [&](const llvm::Twine &cause) {
    return llvm::createStringError("'" + name + "' is no journal of a sweep: line " +
                                   llvm::Twine(number) + ": " + cause);
  };
  while (text.contains('\n')) {
    auto [line, rest] = text.split('\n');
    text = rest;
    journal.goodBytes += line.size() + 1;
    bool isHeader = number++ == 0;
    SweepRow row;
    if (!(isHeader ? readJsonLine(line, journal.header, error) : readJsonLine(line, row, error)))
      return fault(error.empty() ? "no JSON object" : error);
    if (isHeader) {
      if (std::string cause = faultOf(journal.header); !cause.empty())
        return fault(cause);
      isThere.resize(journal.header.grid.size());
      continue;
    }
    if (std::string cause = faultOf(row, journal.header); !cause.empty())
      return fault(cause);
    if (isThere[row.point])
      return isTwice(row.point, ("'" + name + "'").str());
    isThere[row.point] = true;
    journal.rows.push_back(std::move(row));
  }
  if (number == 0)
    return std::nullopt;
  return journal;
}

static std::string differenceOf(llvm::ArrayRef<SweepAxis> a, llvm::ArrayRef<SweepAxis> b) {
  auto whose = [](const SweepAxis &axis) -> std::string {
    return axis.isPassOption ? "the options of passes" : "the arguments";
  };
  for (const auto &[one, other] : llvm::zip(a, b)) {
    if (one.isPassOption != other.isPassOption)
      return "the arguments";
    if (one.name != other.name)
      return whose(one) + ", or their order";
    if (one.values != other.values)
      return "the values of '" + one.name + "'";
  }
  size_t common = std::min(a.size(), b.size());
  return a.size() == b.size() ? "" : whose(a.size() > common ? a[common] : b[common]);
}

std::string differenceOf(const SweepHeader &a, const SweepHeader &b) {
  if (a.toolVersion != b.toolVersion)
    return "the version of tilescope";
  if (a.function != b.function)
    return "the kernel";
  if (a.fileHash != b.fileHash)
    return "the text of the kernel file";
  if (a.grid.targets != b.grid.targets)
    return "the targets";
  if (std::string difference = differenceOf(a.grid.axes, b.grid.axes); !difference.empty())
    return difference;
  if (a.planFor != b.planFor || a.previous != b.previous)
    return "what is preferred in the plan";
  if (a.patches != b.patches)
    return "the patches";
  if (a.usesPtxas != b.usesPtxas)
    return "whether ptxas is asked";
  return a.gpu == b.gpu ? "" : "the GPU that times them";
}

llvm::Expected<SweepJournal> mergeJournals(std::vector<SweepJournal> journals,
                                           llvm::ArrayRef<std::string> names) {
  const SweepHeader &first = journals.front().header;
  std::vector<bool> isThere(first.grid.size());
  std::vector<SweepRow> rows;
  for (const auto &[journal, name] : llvm::zip_equal(journals, names)) {
    if (std::string difference = differenceOf(first, journal.header); !difference.empty())
      return llvm::createStringError("'" + llvm::Twine(names.front()) + "' and '" + name +
                                     "' are of two sweeps: they differ in " + difference);
    if (first.shard.count != journal.header.shard.count)
      return llvm::createStringError("'" + names.front() + "' is shard " + shardName(first.shard) +
                                     " and '" + name + "' is shard " +
                                     shardName(journal.header.shard));
    for (const SweepRow &row : journal.rows) {
      if (isThere[row.point])
        return isTwice(row.point, ("the shards, the second time in '" + name + "'"));
      isThere[row.point] = true;
      rows.push_back(row);
    }
  }
  if (rows.size() != isThere.size())
    return llvm::createStringError(missingText(isThere, first.shard));
  llvm::sort(rows, [](const SweepRow &a, const SweepRow &b) { return a.point < b.point; });
  SweepJournal whole;
  whole.header = first;
  whole.header.shard = {};
  whole.rows = std::move(rows);
  return whole;
}

llvm::Expected<std::unique_ptr<JournalWriter>>
JournalWriter::open(const std::string &path, const SweepHeader &header, bool isResumed) {
  using namespace llvm::sys::fs;
  int file = -1;
  std::error_code code =
      openFile(path, file, isResumed ? CD_OpenAlways : CD_CreateNew, FA_Read | FA_Write, OF_None);
  if (code == std::errc::file_exists)
    return llvm::createStringError("'" + path + "' is there already: --resume goes on with it");
  if (code)
    return llvm::createStringError("cannot write '" + path + "': " + code.message());
  std::unique_ptr<JournalWriter> writer(new JournalWriter(path, file));
  if (tryLockFile(file))
    return llvm::createStringError("'" + path + "' is being written by another sweep");
  if (llvm::Error error = writer->start(header))
    return error;
  return writer;
}

JournalWriter::~JournalWriter() { (void)llvm::sys::Process::SafelyCloseFileDescriptor(file_); }

// Takes over what is whole of the file, cuts off what is torn.
llvm::Error JournalWriter::start(const SweepHeader &header) {
  // Through this very descriptor: to close another one of the file would give up the lock.
  auto buffer =
      llvm::MemoryBuffer::getOpenFile(file_, path_, /*FileSize=*/-1,
                                      /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path_ + "': " + buffer.getError().message());
  llvm::Expected<std::optional<SweepJournal>> journal = readJournal((*buffer)->getBuffer(), path_);
  if (!journal)
    return journal.takeError();
  size_t goodBytes = *journal ? (*journal)->goodBytes : 0;
  std::error_code code = llvm::sys::fs::resize_file(file_, goodBytes);
  if (!code && ::lseek(file_, 0, SEEK_END) < 0)
    code = std::error_code(errno, std::generic_category());
  if (code)
    return llvm::createStringError("cannot write '" + path_ + "': " + code.message());
  if (!*journal)
    return writeLine(jsonLine(header));
  std::string difference = differenceOf((*journal)->header, header);
  if (difference.empty() && (*journal)->header.shard != header.shard)
    difference = "the shard";
  if (!difference.empty())
    return llvm::createStringError("'" + path_ + "' is of another sweep: it differs in " +
                                   difference + "; remove it to begin anew");
  rows_ = std::move((*journal)->rows);
  return llvm::Error::success();
}

llvm::Error JournalWriter::append(const SweepRow &row) { return writeLine(jsonLine(row)); }

// In one call as a rule, so that a line is there or not.
llvm::Error JournalWriter::writeLine(const std::string &line) {
  for (llvm::StringRef rest = line; !rest.empty();) {
    ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return llvm::createStringError("cannot write '" + path_ + "': " +
                                     std::error_code(errno, std::generic_category()).message());
    rest = rest.drop_front(static_cast<size_t>(written));
  }
  return llvm::Error::success();
}

} // namespace tilescope
