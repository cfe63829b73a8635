// The text of a pass pipeline: `a,b{x=1,y=true},tidy(c,d)`. Parsed here and nowhere else. `tidy` is
// no pass: it names a group of passes, which observers see as one execution around theirs.
#pragma once

#include "core/pass/pass.h"

#include "llvm/Support/Error.h"

namespace tilescope {

// The error names what is wrong and lists the choices.
llvm::Expected<std::vector<PassInstance>> parsePassPipeline(llvm::StringRef text,
                                                            llvm::ArrayRef<PassInfo> registry);

// The same text again, as it can be parsed.
std::string printPassPipeline(llvm::ArrayRef<PassInstance> pipeline);

// Over what the instance was given before. The error names what is wrong and lists the choices.
llvm::Error setPassOption(PassInstance &instance, llvm::StringRef option, llvm::StringRef value);

// "true", "100000": as setPassOption takes it.
std::string valueText(const PassOption &option);
// "bool", "int" or "str".
llvm::StringRef typeName(const PassOption &option);

// Names in the order in which passes end: those of a group before the group.
struct NamedPass {
  std::string name;
  int depth = 0; // 0: in no group
};
// Of a text that was parsed before; what is wrong with another is not said.
std::vector<NamedPass> namesInPipeline(llvm::StringRef text);

// One line a pass, in the order of the registry, and below it one line an option with its default.
std::string describePasses(llvm::ArrayRef<PassInfo> registry);

} // namespace tilescope
