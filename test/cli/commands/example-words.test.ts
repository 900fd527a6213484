import { parse } from '@oclif/core/parser'
import { expect } from 'chai'
import { COMMANDS } from '../../../src/cli/commands/command-table.js'
import { eachCase } from '../../support/each-case.js'
import { MANIFEST } from './invocations.js'

/** Examples of all commands, also of those that go on, or that change the machine. */
const EXAMPLES = Object.values(MANIFEST).flatMap(({ examples = [] }) => examples)

describe('the words of every example in help', () => {
  it('are of a command that there is, and of its form', async () => {
    await eachCase(
      EXAMPLES,
      (text) => text,
      async (text) => {
        const { id, rest } = commandIn(text)
        expect(id, 'a command').to.be.a('string')
        const command = COMMANDS[String(id)]
        if (!command) throw new Error(`No command ${id}`)
        const { args, flags, baseFlags = {}, strict } = command
        await parse([...rest], { args, flags: { ...baseFlags, ...flags }, strict })
      },
    )
  })

  it('name no flag that the command does not have', async () => {
    const [known] = EXAMPLES.filter((text) => text.startsWith('payctl transactions list --'))
    const { rest } = commandIn(`${known} --nonsense`)
    const command = COMMANDS['transactions:list']
    if (!command) throw new Error('There is no transactions list')
    const { args, flags, baseFlags = {}, strict } = command
    const failure = await parse([...rest], { args, flags: { ...baseFlags, ...flags }, strict }).catch(
      (error: unknown) => error,
    )
    expect(failure).to.be.an.instanceOf(Error)
  })
})

/** The command that a line of a shell runs, and the words after its name. */
function commandIn(text: string): { readonly id: string | undefined; readonly rest: readonly string[] } {
  const [, line = ''] = /payctl (.*?)\)?$/.exec(text.replace(/ [<>] .*$/, '')) ?? []
  const words = (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  )
  const lengths = words.map((_, index) => words.length - index)
  const length = lengths.find((many) => words.slice(0, many).join(':') in COMMANDS)
  return length === undefined
    ? { id: undefined, rest: [] }
    : { id: words.slice(0, length).join(':'), rest: words.slice(length) }
}
