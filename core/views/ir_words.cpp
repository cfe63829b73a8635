#include "core/views/ir_words.h"

namespace tilescope {

namespace {

struct WordMeaning {
  llvm::StringLiteral word;
  llvm::StringLiteral meaning;
};

constexpr WordMeaning Meanings[] = {
    {"schedule",
     "schedule: one entry a statement of the loop: which statement, its place in the order, how "
     "many iterations its loads run ahead of (stage), and the group of copies that it belongs to, "
     "-1 for none."},
    {"versions", "versions: so many slots of the buffer, so that a copy for a later iteration does "
                 "not overwrite what is still read."},
    {"num_stages", "num_stages: so many iterations of a pipelined loop are under way at once."},
    {"injected", "injected: the loop is rewritten already, with copies of later iterations in it."},
    {"counters", "counters: slots of the loop's rings, and their parities, are counted up in CUDA "
                 "instead of divided out of its variable."},
    {"offset", "offset: bytes from the start of the arena of shared memory."},
    {"fragment",
     "fragment: which thread holds an element, and in which register. A part between '|' is a "
     "dimension, split into digits from the slowest: 4@t32 takes 4 values, each of which adds 32 "
     "to the thread; 2@r1 takes 2 values, each of which adds 1 to the register. Behind ';' are "
     "threads that hold copies."},
    {"swizzle", "swizzle(128): in rows of 128 bytes, parts of 16 bytes stand in an order that "
                "differs from row to row, so that a column lies in different banks."},
    {"aligned_swizzle", "aligned_swizzle(128): as swizzle(128), of a tile that starts where the "
                        "order begins again, as wgmma reads it."},
    {"permuted", "permuted: the memory order that the kernel gives the tensor, as digits with "
                 "strides, the slowest first."},
    {"role", "role: what the compiler made this buffer for."},
    {"properties", "properties: what the passes have established so far; later ones require some."},
    {"pending", "pending: the wait ends when at most so many groups of copies are under way."},
    {"preview", "preview: later passes may change sizes, versions or lifetimes."},
    {"computed", "computed: the slot is worked out at run time, from the iteration."},
};

} // namespace

llvm::StringRef meaningOfWord(llvm::StringRef word) {
  for (const WordMeaning &known : Meanings)
    if (known.word == word.take_until([](char byte) { return byte == '('; }))
      return known.meaning;
  return "";
}

std::string tooltipOf(const BufferKey &key) {
  std::string text = toString(key);
  return key.ordinal == 0 ? text
                          : text + "\n#" + std::to_string(key.ordinal) +
                                ": an earlier buffer of the kernel has this name too";
}

} // namespace tilescope
