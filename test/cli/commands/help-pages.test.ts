import { expect } from 'chai'
import { eachCase } from '../../support/each-case.js'
import { MANIFEST } from './invocations.js'

/** The words of an example as a shell would read them, up to a pipe or redirection. */
function wordsOf(example: string): readonly string[] {
  const [command = ''] = example.slice(example.indexOf('payctl ')).split(/ [|>] |\)$/)
  return (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).slice(1)
}

/** The command with the longest matching name. */
function commandOf(words: readonly string[]): string | undefined {
  const ids = words.map((_, index) => words.slice(0, index + 1).join(':'))
  return ids.findLast((id) => Object.hasOwn(MANIFEST, id))
}

describe('the help of every command', () => {
  it('describes the command, with examples that can be typed', async () => {
    await eachCase(Object.entries(MANIFEST), nameOf, ([id, command]) => {
      const { summary, usage, examples = [], args, flags } = command
      expect(summary)
        .to.be.a('string')
        .and.not.match(/^[A-Z]|\.$/)
      expect(usage).to.satisfy((text: string) => text.startsWith(id.replaceAll(':', ' ')))
      const unsaid = Object.entries({ ...args, ...flags }).filter(
        ([, one]) => !('description' in one || one.summary),
      )
      expect(unsaid.map(([name]) => name)).to.deep.equal([])
      if (id !== 'autocomplete:words') expect(examples).to.not.deep.equal([])
      for (const example of examples) expectTypable(example)
    })
  })

  const SECRETS = ['--ein', '--ssn', '--password', '--passphrase', '--card-code', '--secret', '--secret-key']

  it('shows no secret on a command line, because commands in live refuse that', () => {
    for (const { examples = [] } of Object.values(MANIFEST))
      for (const example of examples) {
        const words = wordsOf(example)
        const secrets = words.filter((_, index) => SECRETS.includes(words[index - 1] ?? ''))
        expect(secrets, example).to.deep.equal(secrets.map(() => '-'))
      }
  })

  const NEEDED = {
    'billing:backfill': ['--billing-schedule-id', '--from'],
    'disputes:add': ['--event', '--transaction-id', '--dispute'],
    'vault:purge': ['--older-than'],
    'exceptions:resolve': ['--as', '--reason'],
  }
  it('shows in each example all that the command needs', async () => {
    await eachCase(Object.entries(NEEDED), nameOf, ([id, flags]) => {
      const { examples = [] } = MANIFEST[id] ?? {}
      expect(examples).to.not.deep.equal([])
      for (const example of examples) expect(wordsOf(example), example).to.include.members(flags)
    })
  })
})

function nameOf([id]: readonly [string, ...unknown[]]): string {
  return id.replaceAll(':', ' ')
}

/** Expects an example to name a command, and only flags of that command. */
function expectTypable(example: string): void {
  const words = wordsOf(example)
  const named = commandOf(words)
  if (words.length > 1 || words[0] !== '--help') expect(named, example).to.be.a('string')
  const known = MANIFEST[named ?? '']?.flags ?? {}
  const typed = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0] ?? '')
  const strange = typed.filter(
    (name) => name !== 'help' && !(name in known) && !(name.replace(/^no-/, '') in known),
  )
  expect(strange, example).to.deep.equal([])
}
