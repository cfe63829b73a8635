// IR given as text in unit tests.
#pragma once

#include "core/ir/reader.h"
#include "core/ir/verifier.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <string>

namespace tilescope {

// Every diagnostic, rendered.
inline std::string renderAll(const Diagnostics &diagnostics, const SourceFiles &files) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Diagnostic &diagnostic : diagnostics.all())
    render(diagnostic, files, out, /*colors=*/false);
  return text;
}

// Reads and verifies; the first line may be left out. Fails the test and returns null if anything
// but a remark is reported.
inline const Module *parseIr(Context &context, std::string text) {
  if (!looksLikeIr(text))
    text = "# tilescope-ir 1\n" + text;
  SourceFiles files;
  Diagnostics diagnostics;
  FileId file = files.add("test.py", std::move(text));
  const Module *module = readModule(context, file, files, diagnostics);
  if (module)
    verifyModule(*module, diagnostics);
  auto isRemark = [](const Diagnostic &one) { return one.severity == Severity::Remark; };
  EXPECT_TRUE(llvm::all_of(diagnostics.all(), isRemark)) << renderAll(diagnostics, files);
  return diagnostics.hasErrors() ? nullptr : module;
}

} // namespace tilescope
