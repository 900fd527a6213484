import { payctl } from '../cli/commands/payctl.js'
import type { Place } from '../support/databases.js'

const BLOCK = /```console\n(?<body>[^`]*)```/g

/** A line that somebody types, with its continuation lines, and the output that the page shows below it. */
const STEP = /^(?<prompt>\$|rail>) (?<line>(?:.*\\\n)*.*)\n(?<printed>(?:(?!\$ |rail> ).*\n)*)/gm
const COMMAND = /^(?:echo (?<input>'[^']*'|\S+) \| )?payctl (?<words>[\s\S]*?)(?:\s+#.*)?$/
const ID = /\b[a-z]+_[0-9A-Za-z]{22}\b/g

/** A command of a page with its output, and the same with the ids and the output of this run. */
export interface TypedCommand {
  readonly command: string
  readonly exitCode: number | null
  readonly before: string
  /** Equals `before` if the page leaves the output out. */
  readonly now: string
}

interface TypedPage {
  readonly page: string
  readonly place: Place
  readonly variables?: Readonly<Record<string, string>>
  /** Words of the page, such as files and addresses, and their replacements in this run. */
  readonly words?: ReadonlyMap<string, string>
  /** Performs a line that the page shows in the window of the rail's server. */
  readonly atRail?: (line: string) => Promise<void>
}

/**
 * Runs the commands that a page shows after `$`, one after another, and lines in the window of a rail's server. An id
 * of the page stands for the id printed in its place now. Outputs contain stderr and stdout, like a terminal.
 */
export async function* typedPage(typed: TypedPage): AsyncGenerator<TypedCommand> {
  const { page, place, variables = {}, words = new Map<string, string>(), atRail } = typed
  const ids = new Map<string, string>()
  for (const { groups: { prompt, line = '', printed = '' } = {}, 0: before } of stepsOf(page)) {
    if (prompt === 'rail>') {
      await atRail?.(line.trim())
      continue
    }
    const nowadays = line.replaceAll(ID, (id) => ids.get(id) ?? id)
    const { input, words: arguments_ = '' } = COMMAND.exec(nowadays)?.groups ?? {}
    const { exitCode, stdout, stderr } = await payctl(
      place,
      wordsIn(arguments_).map((word) => words.get(word) ?? word),
      { variables, ...(input !== undefined && { input: `${wordsIn(input).join('')}\n` }) },
    )
    const shown = shownAs(stderr + stdout, words)
    const found = shown.match(ID) ?? []
    for (const [n, id] of (printed.match(ID) ?? []).entries()) {
      const known = found[n]
      if (known !== undefined && !ids.has(id)) ids.set(id, known)
    }
    yield { command: line, exitCode, before, now: printed === '' ? before : `$ ${nowadays}\n${shown}` }
  }
}

function stepsOf(page: string) {
  return [...page.matchAll(BLOCK)].flatMap(({ groups: { body = '' } = {} }) => [...body.matchAll(STEP)])
}

/** Returns output with the original words of the page. */
function shownAs(printed: string, words: ReadonlyMap<string, string>): string {
  return [...words].reduce((shown, [word, actual]) => shown.replaceAll(actual, word), printed)
}

/** The words of a line, as a shell separates them. */
function wordsIn(line: string): string[] {
  const words = line.matchAll(/'(?<quoted>[^']*)'|(?<plain>[^\s\\]+)/g)
  return [...words].map(({ groups }) => groups?.['quoted'] ?? groups?.['plain'] ?? '')
}
