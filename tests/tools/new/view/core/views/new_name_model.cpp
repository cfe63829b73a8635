#include "core/views/new_name_model.h"

namespace tilescope {

NewNameView buildNewName(const PassState &state) { return {state.place()}; }

void print(const NewNameView &view, llvm::raw_ostream &out) {
  write(out, view.pass, {Ink::Strong});
  out << '\n';
}

} // namespace tilescope
