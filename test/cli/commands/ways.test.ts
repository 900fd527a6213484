import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { EXIT } from '../../../src/cli/terminal/failure/exit-codes.js'
import { widthOf } from '../../../src/cli/terminal/output/width.js'
import { furnish } from '../../engine/core/endpoints/furnish.js'
import { makeWorld, type World } from '../../engine/core/endpoints/world.js'
import { objectOf, openCore } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { ENDLESS, invocation, MANIFEST, SECRETS } from './invocations.js'
import { payctlMany } from './many.js'
import type { Outcome } from './payctl.js'

/** Commands whose output has its own format for programs, not JSON. */
const OWN_FORM = ['autocomplete:words', 'help']
const IDS = Object.keys(MANIFEST).filter((id) => !ENDLESS.includes(id) && !OWN_FORM.includes(id))

/** Commands that are refused in this world for any principal, with their exit codes. */
const REFUSED: Readonly<Record<string, number>> = {
  'batch:results': EXIT.notFound,
  demo: EXIT.conflict,
  'invoices:collect': EXIT.validation,
  'invoices:resume-collecting': EXIT.validation,
  'oauth:grants:get': EXIT.notFound,
  'oauth:redirects:remove': EXIT.notFound,
  'oauth:token': EXIT.unavailable,
  'oauth:users:add': EXIT.usage,
  'oauth:users:password': EXIT.usage,
  'oauth:users:update': EXIT.notFound,
  restore: EXIT.usage,
  'simulate:dispute-lost': EXIT.validation,
  'simulate:dispute-won': EXIT.validation,
  'simulate:return': EXIT.validation,
  'customers:delete': EXIT.validation,
  'transactions:delete': EXIT.validation,
  'transactions:refund': EXIT.validation,
  'transactions:review': EXIT.validation,
  'transactions:void': EXIT.validation,
  'books:accept': EXIT.usage,
  'vault:export': EXIT.usage,
  'vault:forget': EXIT.notFound,
  'vault:import': EXIT.usage,
  'vault:rotate': EXIT.usage,
  'webhooks:replay': EXIT.validation,
  'webhooks:verify-signature': EXIT.validation,
}

/** Commands that print additional text for people on stderr. */
const TALKING = [
  'backup',
  'batch:resume',
  'batch:run',
  'invoices:pay',
  'keys:create',
  'keys:rotate',
  'disputes:show',
  'exceptions:show',
  'console',
  'open',
  'operators:token',
  'processing-accounts:complete',
  'config:set',
  'config:unset',
  'profiles:add',
  'profiles:remove',
  'profiles:use',
  'transactions:pay',
  'vault:rotate',
  'mail:deliver',
  'mail:test',
  'webhooks:deliver',
]

const TERMINAL = { ON_TERMINAL: '1', TERM: 'xterm', PAGER: 'cat' }

onSqlite((open) => {
  describe('every command', () => {
    let place: Place
    let world: World
    let folder: string
    let asJson: ReadonlyMap<string, Outcome>
    let piped: ReadonlyMap<string, Outcome>
    let shown: ReadonlyMap<string, Outcome>

    before(async () => {
      const core = await openCore(open)
      place = core.place
      world = await furnish(core, await makeWorld(core))
      // Disabled, so that no notification is sent.
      await core.ok('PUT', `/webhooks/${world.get('webhook')}`, { status: 'disabled' })
      // A second owner, because a command may disable the first.
      await core.ok('POST', '/admin/operators', {
        name: 'Di Ray',
        email: 'di@example.com',
        role: 'owner',
        uid: 54_321,
      })
      folder = mkdtempSync(join(tmpdir(), 'payctl-ways-'))
      asJson = await many('json', ['--json'])
      piped = await many('piped', [])
      shown = await many('shown', [], TERMINAL)
    })
    after(() => rmSync(folder, { recursive: true }))

    const many = async (way: string, more: readonly string[], variables: Record<string, string> = {}) => {
      const own = join(folder, way)
      mkdirSync(own)
      writeFileSync(join(own, 'customers.csv'), 'name\nAda\n')
      const commands = IDS.map((id) => [...invocation(id, world, own), ...more])
      const outcomes = await payctlMany(place, commands, { ...SECRETS, ...variables })
      return new Map(IDS.map((id, index) => [id, outcomes[index] ?? NOTHING]))
    }

    it('has output for programs and for people', async () => {
      await eachCase(
        IDS,
        (id) => id.replaceAll(':', ' '),
        (id) => {
          const expected = REFUSED[id] ?? EXIT.ok
          const [json, text, screen] = [asJson, piped, shown].map((way) => way.get(id) ?? NOTHING)
          if (!json || !text || !screen) throw new Error(`${id} was not run`)
          expect(
            [json, text, screen].map(({ exitCode }) => exitCode),
            json.stderr + text.stderr,
          ).to.deep.equal([expected, expected, expected])
          if (expected === EXIT.ok) expectData(id, json, text, screen)
          else expectRefusal(expected, json, text, screen)
        },
      )
    })
  })
})

const NOTHING: Outcome = { exitCode: null, stdout: '', stderr: '' }

function expectData(id: string, json: Outcome, text: Outcome, screen: Outcome): void {
  expect(json.stderr).to.equal('')
  expect(json.stdout).to.match(/^\{.*\}\n$/s)
  objectOf(JSON.parse(json.stdout))
  expect(text.stdout).to.equal(stripVTControlCharacters(text.stdout))
  // On a terminal, the table mentions the dry run.
  const said = text.stderr.replace('Dry run: nothing was done.\n', '')
  if (!TALKING.includes(id)) expect(said).to.match(/^(Nothing found\.\n|More follow: .*\n)?$/)
  // Other commands have created further objects, so there may be more pages.
  const lines = [stripVTControlCharacters(screen.stderr), said].map(
    (printed) => printed.replace(/^More follow: .*\n/m, '').split('\n').length,
  )
  expect(lines[0]).to.equal(lines[1])
  if (!id.endsWith(':list')) return
  const widths = stripVTControlCharacters(screen.stdout).split('\n').map(widthOf)
  expect(Math.max(...widths), 'columns of the terminal').to.be.at.most(100)
}

function expectRefusal(exitCode: number, json: Outcome, text: Outcome, screen: Outcome): void {
  expect([json.stdout, text.stdout, screen.stdout]).to.deep.equal(['', '', ''])
  const error = objectOf(JSON.parse(json.stderr))
  expect(error).to.include({ object: 'error', exit_code: exitCode })
  expect(error).to.include.keys('error_type', 'error_description', 'details')
  expect(text.stderr).to.match(/^(error: .+\n)+$/)
  expect(stripVTControlCharacters(screen.stderr)).to.match(/^(error: .+\n)+$/)
  expect(screen.stderr).to.include('\u001b[31merror:')
}
