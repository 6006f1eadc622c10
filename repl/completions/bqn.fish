# Completion of bqn's command line for fish.
# Tells whether a program stands on the command line, whose own arguments follow: a file, or - for standard input.
function __bqn_has_program
    set -l words (commandline -opc)[2..]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case -f - --
                return 0
            case -e -p -o -M --explain --allow --root
                set skip 1
            case '-*'
            case '*'
                return 0
        end
    end
    return 1
end

complete -c bqn -n 'not __bqn_has_program' -f -a '(__fish_complete_suffix .bqn)'
complete -c bqn -n 'not __bqn_has_program' -f -a - -d 'run what standard input holds'
complete -c bqn -n 'not __bqn_has_program' -a '--' -d 'end the options'
complete -c bqn -n 'not __bqn_has_program' -s f -r -d 'run a file'
complete -c bqn -n 'not __bqn_has_program' -s e -x -d 'run code'
complete -c bqn -n 'not __bqn_has_program' -s p -x -d 'run code and print its result, formatted'
complete -c bqn -n 'not __bqn_has_program' -s o -x -d 'run code and print its result, a string, as it is'
complete -c bqn -n 'not __bqn_has_program' -l explain -x -d 'run code and show how it is done'
complete -c bqn -n 'not __bqn_has_program' -l profile -d 'show at the end where time went'
complete -c bqn -n 'not __bqn_has_program' -s r -d 'start a session after the rest'
complete -c bqn -n 'not __bqn_has_program' -s s -d 'start a session without prompts'
complete -c bqn -n 'not __bqn_has_program' -l lsp -d 'serve an editor by the Language Server Protocol'
complete -c bqn -n 'not __bqn_has_program' -s M -x -d 'use at most this many megabytes of memory'
complete -c bqn -n 'not __bqn_has_program' -l safe -d 'refuse files, other programs, foreign functions and the environment'
complete -c bqn -n 'not __bqn_has_program' -l allow -x -a 'read-files write-files run-programs call-foreign see-environment read-clock' -d 'refuse all else'
complete -c bqn -n 'not __bqn_has_program' -l root -x -a '(__fish_complete_directories)' -d 'let programs use files in this folder alone'
complete -c bqn -n 'not __bqn_has_program' -s h -l help -d 'print a summary of the options, or help on a topic'
complete -c bqn -n 'not __bqn_has_program' -s v -l version -d 'print the version, the instruction sets and the device'
complete -c bqn -n __bqn_has_program -F
