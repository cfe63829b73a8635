// check --format sarif: findings as editors, code review and code scanning take them: SARIF 2.1.0
// (OASIS Standard, 27 March 2020). One run; a rule for each diagnostic and each question that
// occurs.
#pragma once

#include "cli/instance_checks.h"

namespace tilescope {

// An answer `no` and an error are "fail" of level error; a question that is not established is
// "open", or "fail" where it counts. What was not judged is a notification of the run. Columns
// count characters, of the texts of the files as they were judged.
Json sarifOf(const std::vector<CheckedInstance> &instances, const FindingSeverities &severities,
             int exitCode);

} // namespace tilescope
