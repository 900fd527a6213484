import { expect } from 'chai'
import { payctl } from '../cli/commands/payctl.js'
import type { Place } from '../support/databases.js'

const BLOCK = /```console\n\$ (?<command>(?:.*\\\n)*.*)\n(?<printed>[^`]*)```/g
const ID = /\b[a-z]+_[0-9A-Za-z]{22}\b/g

/** A command of a page, the output on the page, and the output now. */
export interface Step {
  /** The command with the ids of this run. */
  readonly command: string
  readonly onPage: string
  readonly expected: string
  readonly printed: string
}

/**
 * Runs the commands of a page one after another. Ids differ in each run: an id of the page stands for the id
 * printed in its place now. `files` maps words of the page to file names.
 */
export async function* typed(
  page: string,
  place: Place,
  files: ReadonlyMap<string, string>,
): AsyncGenerator<Step> {
  const ids = new Map<string, string>()
  const nowadays = (text: string) => text.replaceAll(ID, (id) => ids.get(id) ?? id)
  for (const { groups: { command: typedThen = '', printed: printedThen = '' } = {} } of page.matchAll(
    BLOCK,
  )) {
    const command = nowadays(typedThen)
    const { words, input } = parsed(command)
    const { exitCode, stdout, stderr } = await payctl(
      place,
      words.map((word) => files.get(word) ?? word),
      { input },
    )
    expect([exitCode, stderr], command).to.deep.equal([0, ''])
    const now = stdout.match(ID) ?? []
    for (const [n, id] of (printedThen.match(ID) ?? []).entries()) ids.set(id, now[n] ?? id)
    yield {
      command,
      onPage: `${typedThen}\n${printedThen}`,
      expected: nowadays(printedThen),
      printed: stdout,
    }
  }
}

/** Parses a line as a shell does: `echo 'input' | payctl words`. */
function parsed(line: string): { words: string[]; input: string } {
  const { input = '', rest = '' } =
    /^(?:echo '(?<input>[^']*)' \| )?payctl (?<rest>.*)$/s.exec(line)?.groups ?? {}
  const words = [...rest.matchAll(/'(?<quoted>[^']*)'|(?<plain>[^\s\\]+)/g)]
  return { words: words.map(({ groups }) => groups?.quoted ?? groups?.plain ?? ''), input: `${input}\n` }
}
