import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@oclif/core/parser'
import { expect } from 'chai'
import { COMMANDS } from '../../../src/cli/commands/command-table.js'
import { eachCase } from '../../support/each-case.js'
import { MANIFEST } from './invocations.js'

/** Examples of all commands, including those that run endlessly or change the machine. */
const EXAMPLES = Object.values(MANIFEST).flatMap(({ examples = [] }) => examples)

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** An alias that a page of the documentation defines. */
const ALIAS = 'payctl today'

/** Commands that the pages of the documentation show in blocks of a shell. */
const DOCUMENTED = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w*)\n(.*?)^```/gms)]
      .filter(([, kind, block = '']) => kind === 'sh' || (kind === '' && block.startsWith('$ ')))
      .flatMap(([, , block = '']) => commandsIn(block).map((text) => ({ page, text }))),
  )
  .filter(({ text }) => !text.startsWith(ALIAS))

describe('every example command in help', () => {
  it('exists and has valid arguments', async () => {
    await eachCase(EXAMPLES, (text) => text, parsed)
  })

  it('uses only flags of its command', async () => {
    const [known] = EXAMPLES.filter((text) => text.startsWith('payctl transactions list --'))
    const failure = await parsed(`${known} --nonsense`).catch((error: unknown) => error)
    expect(failure).to.be.an.instanceOf(Error)
  })
})

describe('every command in the documentation', () => {
  it('exists and has valid arguments', async () => {
    expect(DOCUMENTED.length).to.be.greaterThan(100)
    await eachCase(
      DOCUMENTED,
      ({ page, text }) => `${page}: ${text}`,
      async ({ text }) => await parsed(text),
    )
  })
})

/** Parses a line like its command. Throws if the command does not exist or does not accept the words. */
async function parsed(text: string): Promise<void> {
  const { id, rest } = commandIn(text)
  const command = COMMANDS[String(id)]
  if (!command) throw new Error(`There is no command in: ${text}`)
  const { args, flags, baseFlags = {}, strict } = command
  await parse([...rest], { args, flags: { ...baseFlags, ...flags }, strict })
}

/** The lines of a block that run `payctl`, without comments, prompts and pipes. */
function commandsIn(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => [...line.replace(/\s#.*$/, '').matchAll(/(?:^|[\s$(;|])(payctl [^|;&)]*)/g)])
    .map(([, text = '']) => text.trim())
}

/** The command that a line of a shell runs, and the words after its name. */
function commandIn(text: string): { readonly id: string | undefined; readonly rest: readonly string[] } {
  const [, line = ''] = /payctl (.*?)\)?$/.exec(text.replace(/ \d?[<>] .*$/, '')) ?? []
  const words = (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  )
  const lengths = words.map((_, index) => words.length - index)
  const length = lengths.find((many) => words.slice(0, many).join(':') in COMMANDS)
  return length === undefined
    ? { id: undefined, rest: [] }
    : { id: words.slice(0, length).join(':'), rest: words.slice(length) }
}
