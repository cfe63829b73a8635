// Long texts on a terminal, as git shows them.
#pragma once

namespace tilescope {

// What is printed from now on goes through $TILESCOPE_PAGER, else $PAGER, else less, which shows a
// text that is no longer than the terminal at once; the program ends after it. Nothing happens
// where standard output is no terminal, or the pager is "", "cat" or not there. Colours that were
// decided on stay.
void startPager();

} // namespace tilescope
