#include "core/witness/witness.h"

#include "core/witness/host_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace tilescope {

namespace {

// Of the instructions that the witness lacks clang prints the names, which are template arguments.
llvm::Expected<std::string> findClang() {
  for (llvm::StringRef name : {"clang++-19", "clang++"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError("no clang++ on this machine, which compiles emitted CUDA for the "
                                 "CPU: neither clang++-19 nor clang++ is in PATH");
}

// As nvcc compiles it where C++ leaves things open; locals start poisoned, arrays and addresses are
// checked; sums are rounded where the executor rounds them.
const std::vector<llvm::StringRef> CompilerFlags = {
    "-std=c++20",
    "-O1",
    "-w",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-strict-float-cast-overflow",
    "-ffp-contract=off",
    "-ftrivial-auto-var-init=pattern",
    "-fsanitize=alignment,bounds",
    "-fsanitize-trap=all",
#if defined(__x86_64__)
    "-march=native",
#endif
};

// A kernel that has no end.
constexpr unsigned SecondsLimit = 300;

} // namespace

llvm::Error Witness::checkCompiler() { return findClang().takeError(); }

llvm::Expected<std::unique_ptr<Witness>> Witness::build(const CudaSource &cuda,
                                                        const Problem &problem) {
  llvm::Expected<std::string> program = makeHostText(cuda, problem);
  if (!program)
    return program.takeError();
  std::unique_ptr<Witness> witness(new Witness(problem));
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("tilescope-witness", witness->folder_))
    return llvm::createStringError("cannot make a temporary folder: " + code.message());
  if (llvm::Error error = witness->compile(*program))
    return error;
  return witness;
}

Witness::~Witness() { (void)llvm::sys::fs::remove_directories(folder_); }

llvm::Error Witness::compile(llvm::StringRef program) {
  llvm::Expected<std::string> clang = findClang();
  if (!clang)
    return clang.takeError();
  for (const HostHeader &header : hostHeaders())
    if (llvm::Error error = write(header.path, header.text))
      return error;
  if (llvm::Error error = write("kernel.cpp", program))
    return error;
  std::string source = path("kernel.cpp"), output = path("kernel"), log = path("log");
  std::string include = "-I" + folder_.str().str();
  std::vector<llvm::StringRef> arguments = {*clang, include, source, "-o", output};
  llvm::append_range(arguments, CompilerFlags);
  int status = llvm::sys::ExecuteAndWait(*clang, arguments, std::nullopt,
                                         {"", llvm::StringRef(log), llvm::StringRef(log)});
  if (status == 0)
    return llvm::Error::success();
  return llvm::createStringError("clang does not accept the kernel\n" + read("log"));
}

llvm::Expected<std::optional<WitnessFault>> Witness::run(GlobalMemory &memory,
                                                         WitnessOrder order) const {
  for (const auto &[id, tensor] : memory.tensors) {
    std::vector<uint8_t> bytes = toMemory(problem_, id, tensor);
    if (llvm::Error error = write(tensorFileName(id), llvm::toStringRef(bytes)))
      return error;
  }
  llvm::Expected<std::optional<WitnessFault>> fault = execute(order);
  if (!fault || *fault)
    return fault;
  for (BufferId id : problem_.written) {
    std::string bytes = read(tensorFileName(id));
    fromMemory(problem_, id, llvm::arrayRefFromStringRef(bytes), memory.tensors.at(id));
  }
  return std::nullopt;
}

llvm::Expected<std::optional<WitnessFault>> Witness::execute(WitnessOrder order) const {
  std::string program = path("kernel"), log = path("log");
  std::vector<llvm::StringRef> arguments = {program, folder_};
  if (order == WitnessOrder::Reversed)
    arguments.push_back("reversed");
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                         {"", llvm::StringRef(log), llvm::StringRef(log)},
                                         SecondsLimit, 0, &message);
  if (status == 0)
    return std::nullopt;
  std::string text = read("log");
  llvm::StringRef said = llvm::StringRef(text).trim();
  WitnessFault fault;
  if (said.consume_front("fault ") && !said.consumeInteger(10, fault.block) &&
      said.consume_front(" ") && !said.consumeInteger(10, fault.thread)) {
    fault.text = said.trim().str();
    return fault;
  }
  return llvm::createStringError("the kernel on the CPU ended with " + std::to_string(status) +
                                 ": " + message + text);
}

llvm::Error Witness::write(llvm::StringRef name, llvm::StringRef text) const {
  std::string file = path(name);
  (void)llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
  std::error_code code;
  llvm::raw_fd_ostream out(file, code);
  if (!code) {
    out << text;
    out.close();
    code = out.error();
    out.clear_error();
  }
  return code ? llvm::createStringError("cannot write " + file + ": " + code.message())
              : llvm::Error::success();
}

std::string Witness::read(llvm::StringRef name) const {
  auto buffer = llvm::MemoryBuffer::getFile(path(name));
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace tilescope
