import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { topicOf } from '../../../src/cli/commands/derived/topic.js'
import { registry } from '../../../src/cli/terminal/declarations/declared-registry.js'
import type { Resource } from '../../../src/schema/resource.js'
import { furnish } from '../../engine/core/endpoints/furnish.js'
import { exampleOf, makeWorld, type World } from '../../engine/core/endpoints/world.js'
import { openCore } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { card } from '../../support/examples.js'
import { MANIFEST } from './invocations.js'
import { type Outcome, payctl } from './payctl.js'

/** Verbs of commands derived from declarations, and commands for payments. */
const VERBS = /^[\w-]+:(list|get|create|update|delete)$/
const TRADE = [
  'transactions:find',
  'transactions:pay',
  'keys:rotate',
  'status',
  'processing-accounts:complete',
]

/** Valid examples that a business rule refuses in this world. */
const REFUSED =
  /^payctl (status --fail|customers delete|legal-entities delete|line-items delete|transactions (delete|update|pay .*--gateway-token))\b/

/** Lines for standard input, by the flag that reads them. */
const SECRETS: Readonly<Record<string, string>> = {
  card: '4242424242424242',
  'card.card-number': '4242424242424242',
  'payment-method.card.card-number': '4242424242424242',
  'bank-account': '000123456789',
  ssn: '123456789',
  ein: '123456789',
  password: 'correct horse battery',
}

interface Example {
  readonly id: string
  readonly text: string
}

const EXAMPLES: readonly Example[] = Object.entries(MANIFEST)
  .filter(([id]) => (VERBS.test(id) && !id.startsWith('config:')) || TRADE.includes(id))
  .flatMap(([id, { examples = [] }]) => examples.map((text) => ({ id, text })))
  .filter(({ text }) => !text.includes('--env live') && !REFUSED.test(text))

onSqlite((open) => {
  describe('every example in the help of a command', () => {
    let place: Place
    let world: World
    let folder: string

    before(async () => {
      const core = await openCore(open)
      place = core.place
      world = await furnish(core, await makeWorld(core))
      await core.ok('POST', `/processing_accounts/${world.get('processing_account')}/set_default`, {})
      await core.ok('POST', '/payment_methods', {
        ...card(),
        account_id: String(world.get('customer')),
        default_payment_method: true,
      })
      folder = mkdtempSync(join(tmpdir(), 'payctl-examples-'))
    })
    after(() => rmSync(folder, { recursive: true }))

    /** Words of an example, with ids and files of this world instead of its samples. */
    const words = ({ id, text }: Example): string[] => {
      const resource = registry.all.find((one) => topicOf(one) === id.split(':')[0])
      const filled = text.replaceAll(SAMPLE_ID, (_, flag: string = '', prefix: string = '') => {
        const named = prefix === 'acct_' ? accountFor(flag, resource) : nameOf(prefix, resource)
        return `${flag}${world.get(named) ?? 'none'}`
      })
      const split = filled.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
      return split.slice(1).map((word) => {
        const plain = word.replaceAll(/["']/g, '')
        return /\.(json|txt|csv)$/.test(plain) ? fileAt(plain, id, resource) : plain
      })
    }

    /** Path of a file that an example reads or writes. */
    const fileAt = (name: string, id: string, resource: Resource | undefined): string => {
      const path = join(folder, name)
      const body =
        id.endsWith(':create') && resource ? exampleOf(resource, world) : { attrs: { known: true } }
      if (name.endsWith('.json')) writeFileSync(path, JSON.stringify(body))
      if (name.endsWith('.txt')) writeFileSync(path, 'As agreed.')
      return path
    }

    const run = async (example: Example): Promise<Outcome> => {
      const all = words(example)
      const { flags = {} } = MANIFEST[example.id] ?? {}
      const dry = 'dry-run' in flags && !all.includes('--dry-run') ? ['--dry-run'] : []
      const secrets = all
        .filter((_, index) => all[index + 1] === '-')
        .map((flag) => SECRETS[flag.slice(2)] ?? '')
      const input = secrets.length === 0 ? {} : { input: `${secrets.join('\n')}\n` }
      return await payctl(place, [...all, ...dry], input)
    }

    it('runs as written, or prompts for omitted values', async () => {
      await eachCase(
        EXAMPLES,
        ({ text }) => text,
        async (example) => {
          const { exitCode, stderr } = await run(example)
          // On a terminal, such an example prompts; the tests of the wizards walk through that.
          const isPrompting = example.text === `payctl ${example.id.replaceAll(':', ' ')}`
          if (isPrompting && exitCode !== 0)
            expect(stderr).to.match(/^error: (Missing|Which|Nothing|.*: Required)/)
          else expect(exitCode, stderr).to.equal(0)
        },
      )
    })
  })
})

/** A sample id, with the flag before it. */
const SAMPLE_ID = /(--[\w.-]+ )?\b([a-z]+_)?0V8c…/g

/** Resource of an id with the prefix `acct_`, which customers, organizations and processing accounts share. */
function accountFor(flag: string, resource: Resource | undefined): string {
  if (flag.startsWith('--customer')) return 'customer'
  if (flag.startsWith('--org')) return 'org'
  const isOwn = flag === '' && (resource?.name === 'customer' || resource?.name === 'org')
  return isOwn ? resource.name : 'processing_account'
}

function nameOf(prefix: string, resource: Resource | undefined): string {
  return registry.all.find((one) => one.prefix === prefix && prefix !== '')?.name ?? resource?.name ?? ''
}
