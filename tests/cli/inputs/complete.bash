# What bash offers for some command lines, with the script $1.
source "$1"
offer() {
  # Words as bash cuts them, at ":" and "=", and the line that they are of.
  COMP_WORDS=(tilescope "$@") COMP_CWORD=$# COMPREPLY=()
  COMP_LINE="tilescope $*" COMP_LINE="${COMP_LINE// : /:}" COMP_LINE="${COMP_LINE// = /=}"
  _tilescope
  printf '<%s>:' "$*"
  printf ' [%s]' "${COMPREPLY[@]}"
  printf '\n'
}
offer ex
offer ''
offer export --fo
offer export --format ''
offer export --format = s
offer compile --target sm_9
offer show are
offer show arena --pass ''
offer show arena b
offer completions ''
offer completions bash ''
offer sweep --target sm_80,sm_9
offer compile --pass-option inject
offer check --color = a
offer check add.py : add_
offer check add.py : ''
offer check add.py : add_staged --set block
sized=(add.py : add_staged --set M = 64 --set N = 64)
offer show buffer "${sized[@]}" --buffer A
offer show ir "${sized[@]}" --pass ins
offer why "${sized[@]}" B_
