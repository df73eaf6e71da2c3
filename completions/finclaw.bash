_finclaw_completion() {
    local line=$COMP_LINE IFS=$'\n' words=() word breaks= current before i
    for (( i = 0; i <= COMP_CWORD; i++ )); do
        word=${COMP_WORDS[i]}
        if (( i == 0 )) || [[ $line == [[:space:]]* ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        line=${line#"${line%%[![:space:]]*}"}
        line=${line#"$word"}
    done
    current=${words[${#words[@]}-1]}
    COMPREPLY=( $( env COMP_WORDS="${words[*]}" \
                   COMP_CWORD=$(( ${#words[@]} - 1 )) \
                   _FINCLAW_COMPLETE=complete_bash $1 ) )
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
    [[ $current == -*=* ]] && current=${current#*=}
    if [[ -n $breaks && $current == *[$breaks]* ]]; then
        before=${current%"${current##*[$breaks]}"}
        COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    fi
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}

complete -o default -F _finclaw_completion finclaw
