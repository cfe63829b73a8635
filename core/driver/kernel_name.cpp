#include "core/driver/kernel_name.h"

#include "llvm/Support/FileSystem.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral OptionBegin = " --";
constexpr llvm::StringLiteral Occupancy = "occupancy";

using Settings = std::vector<std::pair<std::string, std::string>>;

std::string settingsText(llvm::StringRef option, const Settings &settings) {
  std::string text;
  for (const auto &[name, value] : settings)
    text += (OptionBegin + option + " " + name + "=" + value).str();
  return text;
}

llvm::Error addOption(llvm::StringRef option, llvm::StringRef value, CompileRequest &request) {
  auto refuse = [&] {
    return llvm::createStringError("'--" + option.str() + " " + value.str() +
                                   "' is not understood here: there are --set, --device, "
                                   "--pass-option NAME=VALUE, --target and --plan-for");
  };
  if (option == "target" && !value.empty()) {
    request.target = value.str();
    return llvm::Error::success();
  }
  if (option == "plan-for" && (value == Occupancy || value == "height")) {
    request.plan.forOccupancy = value == Occupancy;
    return llvm::Error::success();
  }
  Settings *settings = option == "set"           ? &request.arguments
                       : option == "device"      ? &request.device
                       : option == "pass-option" ? &request.passOptions
                                                 : nullptr;
  auto [name, setting] = value.split('=');
  if (!settings || name.empty() || setting.empty())
    return refuse();
  settings->emplace_back(name.str(), setting.str());
  return llvm::Error::success();
}

} // namespace

std::pair<std::string, std::string> splitKernelName(const std::string &name) {
  size_t colon = name.rfind(':');
  if (colon == std::string::npos || llvm::sys::fs::exists(name))
    return {name, ""};
  return {name.substr(0, colon), name.substr(colon + 1)};
}

std::string kernelLine(const CompileRequest &request) {
  std::string line = request.path;
  if (!request.function.empty())
    line += ":" + request.function;
  line += settingsText("set", request.arguments);
  if (request.target != CompileRequest().target)
    line += (OptionBegin + "target " + request.target).str();
  line += settingsText("device", request.device);
  line += settingsText("pass-option", request.passOptions);
  if (request.plan.forOccupancy)
    line += (OptionBegin + "plan-for " + Occupancy).str();
  return line;
}

llvm::Expected<CompileRequest> requestOfLine(const std::string &line) {
  CompileRequest request;
  size_t begin = llvm::sys::fs::exists(line) ? std::string::npos : line.find(OptionBegin);
  std::string name = llvm::StringRef(line).take_front(begin).rtrim().str();
  std::tie(request.path, request.function) = splitKernelName(name);
  llvm::StringRef rest = llvm::StringRef(line).drop_front(std::min(begin, line.size()));
  while (rest.consume_front(OptionBegin)) {
    auto [option, value] = rest.take_front(rest.find(OptionBegin)).split(' ');
    if (llvm::Error error = addOption(option, value.trim(), request))
      return error;
    rest = rest.drop_front(std::min(rest.find(OptionBegin), rest.size()));
  }
  return request;
}

} // namespace tilescope
