// Enumerations of the file: classes below `Enum` and its kind.
//
//     class Level(IntEnum):     members are numbers too: Level.High + 1 is 3, Level.High == 2
//         Low = 1
//         High = auto()
//         def isTop(self):      functions of a member
//             return self == Level.High
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

bool isEnumBase(const Value &base);
// Makes members of what the body of a class assigned.
bool makeEnum(Evaluation &evaluation, ClassObject &type, const ast::ClassDefStmt &def);
// `Level(2)`: the member with that value.
Value enumMemberOf(Evaluation &evaluation, ClassObject &type, llvm::ArrayRef<Argument> arguments,
                   Span span);
// Of an enumeration, in the order of its body and without second names; null for all else.
const Values *enumMembers(const Value &type);

} // namespace tilescope::frontend
