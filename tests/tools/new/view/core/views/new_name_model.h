// Panel `new-name`: ONE LINE OF HELP.
#pragma once

#include "core/views/view.h"

namespace tilescope {

struct NewNameView {
  std::string pass;
};

NewNameView buildNewName(const PassState &state);
void print(const NewNameView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, NewNameView &view) {
  archive("pass", view.pass);
}

} // namespace tilescope
