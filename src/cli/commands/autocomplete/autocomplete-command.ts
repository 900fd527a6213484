import process from 'node:process'
import { string } from '@oclif/core/args'
import { Command } from '@oclif/core/command'
import { option } from '@oclif/core/flags'
import { shellWord } from '../../../platform/shell-word.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { report } from '../../terminal/output/answer-report.js'
import type { Commands } from '../../terminal/start/command-named.js'
import { lineWords } from '../../terminal/start/line-words.js'
import { type Candidate, candidatesFor, namesBatch } from './candidates.js'
import { savedNames } from './saved-names.js'

/** Shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof SHELLS)[number]

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

export class Autocomplete extends PayctlCommand {
  static override summary =
    'print the script that completes commands, flags, attributes and values in a shell'
  static override usage = 'autocomplete bash|zsh|fish'
  static override examples = [...Object.values(PLACES), 'source <(payctl autocomplete bash)']
  protected override readonly underProfile = false
  static override args = {
    shell: string({ required: true, description: 'bash, zsh or fish', options: [...SHELLS] }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Autocomplete)
    const shell = SHELLS.find((known) => known === args.shell) ?? 'bash'
    const script = SCRIPTS[shell]
    if (formatOf(flags) === 'table') await this.write(flags, script)
    else await this.print(flags, { shell, script }, shapeless)
  }
}

/** `payctl autocomplete words`, which the scripts call. */
export function wordsCommand(
  commands: Commands,
  topics: Readonly<Record<string, { readonly description: string }>>,
) {
  return class Words extends Command {
    static override summary = 'print the completions of the last word'
    static override usage = 'autocomplete words --shell bash|zsh|fish -- WORD…'
    static override hidden = true
    static override strict = false
    static override flags = {
      shell: option({ options: SHELLS, default: 'bash', summary: 'for which shell' })(),
    }

    async run(): Promise<void> {
      const end = this.argv.indexOf('--')
      const given = end === -1 ? [] : this.argv.slice(end + 1)
      const { flags } = await this.parse(Words, this.argv.slice(0, end === -1 ? undefined : end))
      const words = flags.shell === 'bash' ? lineWords(given[0] ?? '').slice(1) : given
      const names = await savedNames(false)
      const isBatch = namesBatch(commands, words, names)
      const found = candidatesFor(commands, topics, words, isBatch ? await savedNames(true) : names)
      process.stdout.write(found.map((one) => `${written(one, flags.shell, words.at(-1) ?? '')}\n`).join(''))
    }

    protected override async catch(error: Error): Promise<void> {
      report(error, this.argv)
    }
  }
}

/**
 * Text of a completion in the form that the shell expects. For bash, the text starts after the last word break (`=` or
 * `:`). As bash inserts the text unchanged, names chosen by users are quoted: otherwise a name could run as a command.
 */
function written({ word, meaning, isNamed }: Candidate, shell: Shell, current: string): string {
  switch (shell) {
    case 'bash':
      return (isNamed ? shellWord : String)(word.slice(/^.*[=:]/.exec(current)?.[0].length ?? 0))
    case 'zsh':
      return `${word.replaceAll(':', '\\:')}${meaning ? `:${meaning}` : ''}`
    case 'fish':
      return meaning ? `${word}\t${meaning}` : word
  }
}
