// Waits for products of warp groups as late as their sums are used, in loops where that lets
// another product be started before.
//
//     start S += Q * K                  start S += Q * K
//     wait(0)                           start O += P * V
//     start O += P * V             =>   wait(1)
//     wait(0)                           read S
//     read S                            wait(0)
//     write P                           write P
//
// A wait stays before whatever touches the sums, writes what the product reads, tells other threads
// that they may, or stands under a condition or in a loop; so it does where it would pass nothing.
#pragma once

#include "core/ir/module.h"

namespace tilescope {

const Stmt *delayWaits(Context &context, const Stmt *body);

} // namespace tilescope
