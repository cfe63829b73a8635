# What bash offers for some command lines, with the script $1.
source "$1"
offer() {
  COMP_WORDS=(tilescope "$@") COMP_CWORD=$# COMPREPLY=()
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
