#!/bin/bash
# A git repository in the folder $1 with three kernels and twelve changes to them: TAG~ and TAG
# are what was before and after each.
set -e
from=$(cd "$(dirname "$0")" && pwd)
rm -rf "$1" && mkdir -p "$1/kernels" && cd "$1"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q
commit() { # name of the tag
  git add -A
  git -c user.name=test -c user.email=test@example.org commit -qm "$1"
  git tag "$1"
}
edit() { # file, sed script, tag
  sed -i.old "$2" "kernels/$1"
  cmp -s "kernels/$1" "kernels/$1.old" && echo "$3 changes nothing" && exit 1
  rm "kernels/$1.old"
  commit "$3"
}

cp "$from"/*.py kernels/
commit start
edit gemm.py 's/A_shared/lhs/g' rename
edit gemm.py 's/num_stages: int = 2/num_stages: int = 4/' stages
edit add.py 's/^        right = .*/&\n        extra = T.alloc_shared((32, 32), dtype)/
  s/^        T.copy(B.*, right)/        T.copy(B[by * 32, bx * 32], extra)\n        T.copy(extra, right)/' new_buffer
edit add.py '/T.copy(A\[/{h;d}; /T.copy(extra, right)/{G}' reorder
edit add.py 's/= T.float32/= T.float16/' dtype
edit gemm.py '/lhs = T.alloc/{h;d}; /B_shared = T.alloc/{G}' swap
edit chain.py 's/^        T.copy(first, total)/        # Into registers.\n        #\n&/' comment
edit chain.py 's/second\[i, j\]$/second[i, j] * first[i, j]/' longer_life
edit gemm.py 's/T.gemm(lhs/T.gem(lhs/' broken
edit gemm.py 's/T.gem(lhs/T.gemm(lhs/' fixed
edit add.py 's/threads=[0-9]*/threads=64/' launch
git rm -q kernels/chain.py
commit removed
