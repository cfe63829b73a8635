# Types lines into an interactive zsh, a tab behind each, and prints what stands there then. FOLDER holds the script
# _tilescope.
#   zsh -f complete.zsh FOLDER LINE...
zmodload zsh/zpty
said=$(mktemp)
TRAPEXIT() { rm -f $said }
zpty shell zsh -f -i
type_in() { zpty -w -n shell $1 }

# Up to a number of lines.
wait_for() {
  repeat 600; do
    zpty -r -t shell ignored 2> /dev/null
    (( $(wc -l < $said) >= $1 )) && return
    sleep 0.1
  done
  print "zsh says no more than:"
  cat $said
  exit 1
}

type_in "PS1=''; fpath=(${1:a} \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep
say() { print -r -- \"<\$BUFFER>\" >> $said; BUFFER= }; zle -N say; bindkey '^X' say; print ready >> $said
"
shift
count=1
wait_for $count
# The editor runs once it answers.
for line in '' "$@"; do
  type_in "$line"$'\t'$'\x18'
  wait_for $(( ++count ))
done
tail -n +3 $said
