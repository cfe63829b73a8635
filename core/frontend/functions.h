// Definitions: functions, lambdas, classes and what decorators make of them; instances of classes.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

// At the top level default values wait until they are needed.
Value makeFunction(Evaluation &evaluation, const ast::FunctionDefStmt &def, bool isTopLevel);
Value makeLambda(Evaluation &evaluation, const ast::LambdaExpr &lambda);
Value makeClass(Evaluation &evaluation, const ast::ClassDefStmt &def);
// What a decorator makes of a function, as far as names tell.
FunctionRole roleOf(Evaluation &evaluation, const ast::FunctionDefStmt &def);

// The default of one parameter, evaluated when it is first needed.
Value defaultOf(Evaluation &evaluation, FunctionObject &function, size_t index);
// The default that the last call used; invalid if it was not needed.
Value defaultUsed(const FunctionObject &function, llvm::StringRef param);
// "a, b=..., *, c": for messages about a call.
std::string signatureOf(const FunctionObject &function);

// `type(arguments)`
Value instantiate(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                  Span span);
// The same of a class whose instances are tuples.
Value makeNamedTuple(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                     Span span);
// Of a class or its bases; invalid, without a report, if there is none.
Value memberOf(ClassObject &type, llvm::StringRef name, unsigned depth = 0);
bool isSubclass(const ClassObject &type, const ClassObject &base, unsigned depth = 0);

} // namespace tilescope::frontend
