"""The completion script for bash, in place of typer's, which fails where bash splits words."""

from __future__ import annotations

# Bash splits a word at `:` and `=` (COMP_WORDBREAKS). Words are joined again for finclaw, and the part before the last
# break is removed from each answer, because bash replaces only what follows it. Placeholders are typer's: %(name)s.
BASH = r"""
%(complete_func)s() {
    local line=$COMP_LINE IFS=$'\n' words=() word breaks= current before i
    for (( i = 0; i <= COMP_CWORD; i++ )); do
        word=${COMP_WORDS[i]}
        if (( i == 0 )) || [[ $line == [[:space:]]* ]]; then
            words+=("$word")
        else
            words[${#words[@]}-1]+=$word
        fi
        line=${line#"${line%%%%[![:space:]]*}"}
        line=${line#"$word"}
    done
    current=${words[${#words[@]}-1]}
    COMPREPLY=( $( env COMP_WORDS="${words[*]}" \
                   COMP_CWORD=$(( ${#words[@]} - 1 )) \
                   %(autocomplete_var)s=complete_bash $1 ) )
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
    [[ $current == -*=* ]] && current=${current#*=}
    if [[ -n $breaks && $current == *[$breaks]* ]]; then
        before=${current%%"${current##*[$breaks]}"}
        COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    fi
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}

complete -o default -F %(complete_func)s %(prog_name)s
"""


def use() -> None:
    """Make typer show and install this script."""
    from typer import _completion_classes, _completion_shared

    _completion_shared._completion_scripts["bash"] = BASH  # noqa: SLF001 - typer has no other way
    _completion_classes.BashComplete.source_template = BASH
