# Completion of bqn's command line for bash.
_bqn() {
  local word=${COMP_WORDS[COMP_CWORD]} expected=option before
  for before in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $expected:$before in
      program:*) expected=arguments ;;
      code:* | capability:* | folder:*) expected=option ;;
      *:-f) expected=program ;;
      *:-e | *:-p | *:-o | *:--explain | *:-M) expected=code ;;
      *:--allow) expected=capability ;;
      *:--root) expected=folder ;;
      *:- | *:--) expected=arguments ;;
      *:-*) expected=option ;;
      *) expected=arguments ;;
    esac
    if [ $expected = arguments ]; then break; fi
  done
  COMPREPLY=()
  case $expected:$word in
    code:*) ;;
    capability:*) mapfile -t COMPREPLY < <(compgen -W 'read-files write-files run-programs call-foreign see-environment read-clock' -- "$word") ;;
    folder:*)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$word")
      ;;
    arguments:*) compopt -o default ;;
    option:-*) mapfile -t COMPREPLY < <(compgen -W '-f -e -p -o --explain --profile - -- -r -s --lsp -M --safe --allow --root -h --help -v --version' -- "$word") ;;
    *)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.bqn' -- "$word")
      ;;
  esac
}
complete -F _bqn bqn
