import { payctl } from '../cli/commands/payctl.js'
import type { Place } from '../support/databases.js'

const BLOCK = /```console\n(?<body>[^`]*)```/g
const COMMAND = /^\$ (?:echo '(?<input>[^']*)' \| )?payctl (?<words>(?:.*\\\n)*.*)\n(?<printed>[\s\S]*)$/
const ID = /\b[a-z]+_[0-9A-Za-z]{22}\b/g

/** A block of a page, and the same block with the output of this run. */
export interface TypedBlock {
  readonly command: string
  readonly exitCode: number | null
  readonly before: string
  readonly now: string
}

interface TypedPage {
  readonly page: string
  readonly place: Place
  readonly variables: Readonly<Record<string, string>>
  /** Words of the page, such as files and addresses, and their replacements in this run. */
  readonly words: ReadonlyMap<string, string>
  /** Performs a line that the page shows in the window of the rail's server. */
  readonly atRail: (line: string) => Promise<void>
}

/**
 * Runs the blocks of a page one after another: commands of payctl, and lines in the window of a rail's server.
 * An id of the page stands for the id printed in its place now. Outputs contain stderr and stdout, like a
 * terminal.
 */
export async function* typedPage({
  page,
  place,
  variables,
  words,
  atRail,
}: TypedPage): AsyncGenerator<TypedBlock> {
  const ids = new Map<string, string>()
  for (const [, body = ''] of page.matchAll(BLOCK)) {
    if (body.startsWith('rail> ')) {
      await atRail(body.slice('rail> '.length).trim())
      continue
    }
    const { input, words: typed = '', printed = '' } = COMMAND.exec(body)?.groups ?? {}
    const now = typed.replaceAll(ID, (id) => ids.get(id) ?? id)
    const outcome = await payctl(
      place,
      wordsIn(now).map((word) => words.get(word) ?? word),
      { variables, ...(input !== undefined && { input: `${input}\n` }) },
    )
    const { exitCode, stdout, stderr } = outcome
    const shown = shownAs(stderr + stdout, words)
    const found = shown.match(ID) ?? []
    for (const [n, id] of (printed.match(ID) ?? []).entries()) {
      const known = found[n]
      if (known !== undefined && !ids.has(id)) ids.set(id, known)
    }
    const start = input === undefined ? '' : `echo '${input}' | `
    yield {
      command: typed,
      exitCode,
      before: `\`\`\`console\n${body}\`\`\``,
      now: `\`\`\`console\n$ ${start}payctl ${now}\n${shown}\`\`\``,
    }
  }
}

/** Returns output with the original words of the page. */
function shownAs(printed: string, words: ReadonlyMap<string, string>): string {
  let shown = printed
  for (const [word, actual] of words) shown = shown.replaceAll(actual, word)
  return shown
}

function wordsIn(line: string): string[] {
  const words = line.matchAll(/'(?<quoted>[^']*)'|(?<plain>[^\s\\]+)/g)
  return [...words].map(({ groups }) => groups?.['quoted'] ?? groups?.['plain'] ?? '')
}
