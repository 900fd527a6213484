/** Shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** Script for each shell to load; it calls `payctl autocomplete words` for completions. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_payctl() {
  local IFS=$'\\n'
  COMPREPLY=($(payctl autocomplete words --shell bash -- "\${COMP_LINE:0:$COMP_POINT}" 2>/dev/null))
  [[ \${COMPREPLY[0]-} == *[=,/] ]] && compopt -o nospace
}
complete -o default -F _payctl payctl
`,
  zsh: `#compdef payctl
_payctl() {
  local -a found
  found=("\${(@f)$(payctl autocomplete words --shell zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $found ]]; then _describe payctl found; else _files; fi
}
compdef _payctl payctl
`,
  fish: `complete -c payctl -a '(payctl autocomplete words --shell fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

/** Command that installs the script for each shell. The shell then loads the script at its start. */
export const PLACES: Readonly<Record<Shell, string>> = {
  bash: installing(
    'bash',
    '~/.local/share/bash-completion/completions',
    '~/.local/share/bash-completion/completions/payctl',
  ),
  zsh: installing('zsh', '"$' + '{fpath[1]}"', '"$' + '{fpath[1]}/_payctl"'),
  fish: installing('fish', '~/.config/fish/completions', '~/.config/fish/completions/payctl.fish'),
}

/** A new machine has no folder for scripts, so the command makes it first. */
function installing(shell: Shell, folder: string, file: string): string {
  return `mkdir -p ${folder} && payctl autocomplete ${shell} > ${file}`
}
