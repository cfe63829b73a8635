// What an operation declares (core/ir/op.h), asked of one statement: its attributes and arguments
// decide what the declaration leaves to them.
#pragma once

#include "core/ir/visit.h"

namespace tilescope {

// Whether the operand is written before it is read. OnCondition: a value decides that is not known.
enum class Clearing : uint8_t { Never, OnCondition, Always };
Clearing clearingOf(const OpStmt &op, const OperandInfo &operand);
// Whether the statement clears what it reads and writes here, whatever the values.
bool clearsFirst(const Stmt &stmt, const BufferAccess &access);

// Whether the statement's work has not finished when the next one begins.
bool isAsynchronous(const Stmt &stmt);
bool isSynchronisation(const Stmt &stmt);

// Of a matrix multiply: whether half of the columns of operand 0 are left out, and operand 3 says
// which.
bool keepsHalves(const OpStmt &op);
// Of what is so kept: neighbours along K that are one group, of which two are kept, of two one.
inline int64_t groupOfKept(DType dtype) { return dtype.bits == 32 ? 2 : 4; }

OpScope scopeOf(const OpStmt &op);
// Whether its blocks wait for each other, so that all must run at the same time.
bool meetsBlocks(const Launch &launch);

// Null: its own block. Otherwise: OpInfo::rank.
const Expr *rankOf(const OpStmt &op);
// Whether it reaches shared memory of other blocks of the cluster.
bool reachesBlocks(const OpStmt &op);
// Whether blocks of one cluster wait for each other, or reach each other's memory, so that those
// must.
bool meetsCluster(const Launch &launch);

// It orders launches, not the threads of this one.
bool ordersLaunches(const Stmt &stmt);
// Whether it waits in itself for the launches before it, and so begins before they have ended.
bool beginsEarly(const Launch &launch);

bool hasOneLaunch(const Function &function);

// One thread does it for the block, or for its role.
bool isForOne(const Stmt &stmt);

// Null: true, or there is none. What false means: OpInfo::predicate.
const Expr *predicateOf(const OpStmt &op);

} // namespace tilescope
