#include "cli/sarif.h"

#include "core/json/json_value.h"
#include "core/support/diagnostics.h"
#include "core/support/version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <map>

namespace tilescope {

namespace {

constexpr const char *SarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// RFC 3986: what is neither unreserved nor a separator of folders is escaped.
std::string uriOf(llvm::StringRef path) {
  std::string uri = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (char c : path) {
    bool isPlain = llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c);
    uri += isPlain ? std::string(1, c)
                   : "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
  }
  return uri;
}

// A file, whose columns are bytes here and characters in SARIF.
class SarifFile {
public:
  SarifFile(const std::string &path, llvm::StringRef text) : uri_(uriOf(path)) {
    text.split(lines_, '\n');
  }

  Json location() const {
    Json location = Json::object();
    location["uri"] = uri_;
    return location;
  }

  Json region(uint32_t line, uint32_t column, uint32_t endLine, uint32_t endColumn) const {
    Json region = Json::object();
    region["startLine"] = line;
    if (column > 0)
      region["startColumn"] = charactersBefore(line, column) + 1;
    bool hasEnd = endLine > line || (endLine == line && endColumn > column);
    if (hasEnd && column > 0) {
      region["endLine"] = endLine;
      region["endColumn"] = charactersBefore(endLine, endColumn) + 1;
    }
    return region;
  }

  // Of no line: the whole file.
  Json physicalLocation(const FindingPlace &place) const {
    Json physical = Json::object();
    physical["artifactLocation"] = location();
    if (place.line.number > 0)
      physical["region"] = region(place.line.number, place.column, place.endLine, place.endColumn);
    return physical;
  }

private:
  size_t charactersBefore(uint32_t line, uint32_t column) const {
    if (column == 0 || line > lines_.size())
      return 0;
    return llvm::count_if(lines_[line - 1].take_front(column - 1), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
    });
  }

  std::string uri_;
  llvm::SmallVector<llvm::StringRef> lines_;
};

Json jsonListOf(Json only) {
  Json list = Json::array();
  list.push_back(std::move(only));
  return list;
}

Json textMessage(const std::string &text) {
  Json message = Json::object();
  message["text"] = text;
  return message;
}

Json locationOf(Json physical) {
  Json location = Json::object();
  location["physicalLocation"] = std::move(physical);
  return location;
}

// As of the schema: a rule is described once, and results say its number.
class SarifRules {
public:
  void refer(Json &result, const std::string &id, llvm::StringRef text) {
    auto [found, isNew] = numbers_.try_emplace(id, rules_.size());
    if (isNew)
      rules_.push_back({{"id", id}, {"shortDescription", textMessage(text.str())}});
    result["ruleId"] = id;
    result["ruleIndex"] = found->second;
  }

  Json take() { return std::move(rules_); }

private:
  std::map<std::string, size_t> numbers_;
  Json rules_ = Json::array();
};

// The text of a diagnostic without its arguments, "{0}": those are of messages.
std::string descriptionOf(const FindingRow &row) {
  for (const auto &[name, text] : {
#define DIAG(severity, name, text) std::pair<llvm::StringRef, llvm::StringRef>{#name, text},
#include "core/support/diagnostics.def"
       }) {
    if (name != row.id)
      continue;
    std::string description;
    for (llvm::StringRef rest = text; !rest.empty();) {
      auto [before, argument] = rest.split('{');
      description += before;
      if (before.size() != rest.size())
        description += "...";
      rest = argument.split('}').second;
    }
    return description == "..." ? row.id : description;
  }
  return row.id;
}

Json fixOf(const FindingFix &fix, const std::string &text, const SarifFile &file) {
  const Span &span = fix.span;
  Json replacement{
      {"deletedRegion", file.region(span.line, span.column, span.endLine, span.endColumn)},
      {"insertedContent", textMessage(fix.text)}};
  Json change{{"artifactLocation", file.location()},
              {"replacements", jsonListOf(std::move(replacement))}};
  return {{"description", textMessage(text)}, {"artifactChanges", jsonListOf(std::move(change))}};
}

Json resultOf(const FindingRow &row, const SarifFile &file, const std::string &about,
              SarifRules &rules) {
  Json result;
  rules.refer(result, row.id, descriptionOf(row));
  result["level"] = row.severity == "error" ? "error" : "warning";
  result["locations"] = jsonListOf(locationOf(file.physicalLocation(row.place)));
  std::string message = row.text;
  Json related = Json::array(), fixes = Json::array();
  for (const FindingNote &note : row.notes) {
    if (note.place.line.number > 0)
      related.push_back({{"id", related.size() + 1},
                         {"physicalLocation", file.physicalLocation(note.place)},
                         {"message", textMessage(note.text)}});
    else
      message += "; " + note.text;
    if (note.fix)
      fixes.push_back(fixOf(*note.fix, note.text, file));
  }
  result["message"] = textMessage(message + about);
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  if (!fixes.empty())
    result["fixes"] = std::move(fixes);
  return result;
}

// A no that no finding tells of, and what is not established.
void addAnswers(const FindingsView &view, const SarifFile &file, const std::string &about,
                const FindingSeverities &severities, SarifRules &rules, Json &results) {
  auto add = [&](const std::string &question, const std::string &answer, const std::string &why,
                 const FindingPlace &place, bool isFailure) {
    Json &result = results.emplace_back(Json::object());
    rules.refer(result, questionName(question), question);
    result["kind"] = isFailure ? "fail" : "open";
    result["level"] = isFailure ? "error" : "none";
    result["message"] =
        textMessage(question + ": " + answer + (why.empty() ? "" : ", " + why) + about);
    result["locations"] = jsonListOf(locationOf(file.physicalLocation(place)));
  };
  bool isTold =
      llvm::any_of(view.findings, [](const FindingRow &row) { return row.severity == "error"; });
  for (const FindingAnswer &answer : answersOf(view))
    if (answer.verdict == Verdict::No && !isTold)
      add(answer.question, "no", answer.why, {}, true);
  for (const FindingGap &gap : view.notEstablished)
    add(gap.question, "not established", gap.why, gap.place, severities.counts(gap));
}

Json notificationOf(const CheckedInstance &one) {
  std::string path = one.trace.empty() ? one.file : one.trace;
  Json notification{{"level", "error"}, {"message", textMessage(one.error)}};
  if (!path.empty())
    notification["locations"] = jsonListOf(locationOf(SarifFile(path, "").physicalLocation({})));
  return notification;
}

} // namespace

Json sarifOf(const std::vector<CheckedInstance> &instances, const FindingSeverities &severities,
             int exitCode) {
  SarifRules rules;
  Json results = Json::array(), notifications = Json::array();
  for (const CheckedInstance &one : instances) {
    if (!one.error.empty())
      notifications.push_back(notificationOf(one));
    if (!one.check)
      continue;
    SarifFile file(one.file, one.text);
    std::string about = instances.size() > 1 ? " (" + one.instance + ")" : "";
    for (const FindingRow &row : one.check->findings)
      results.push_back(resultOf(row, file, about, rules));
    addAnswers(*one.check, file, about, severities, rules, results);
  }
  Json invocation{{"executionSuccessful", notifications.empty()}, {"exitCode", exitCode}};
  if (!notifications.empty())
    invocation["toolExecutionNotifications"] = std::move(notifications);
  Json run = Json::object();
  run["tool"]["driver"] = {
      {"name", "tilescope"}, {"version", ToolVersion}, {"rules", rules.take()}};
  run["columnKind"] = "unicodeCodePoints";
  run["invocations"] = jsonListOf(std::move(invocation));
  run["results"] = std::move(results);
  return {{"$schema", SarifSchema}, {"version", "2.1.0"}, {"runs", jsonListOf(std::move(run))}};
}

} // namespace tilescope
