import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { follow } from '../../../src/cli/commands/webhooks/follow.js'
import { Refusal } from '../../../src/cli/terminal/failure/failure.js'
import { eventLine } from '../../../src/cli/terminal/output/event-line.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, onSqlite } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { payctl, start } from './payctl.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

/** Reads the lines of a running command. */
class Lines {
  private readonly read: string[] = []
  private wake: () => void = () => undefined

  constructor(readonly child: ChildProcess) {
    if (!child.stdout) throw new Error('It has no output')
    createInterface(child.stdout).on('line', (line) => {
      this.read.push(line)
      this.wake()
    })
  }

  async next(): Promise<string> {
    while (this.read.length === 0)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    return this.read.shift() ?? ''
  }

  async event(): Promise<JsonObject> {
    return objectOf(JSON.parse(await this.next()))
  }

  async end(): Promise<unknown> {
    const closed = once(this.child, 'close')
    this.child.kill('SIGINT')
    return (await closed)[0]
  }
}

async function pay(core: TestCore, amount: number, more: JsonObject = {}): Promise<string> {
  const body = { type: 'payment', amount, payment_method: card(), ...more }
  return idOf(await core.ok('POST', '/transactions', body))
}

onDatabases((open) => {
  describe('payctl watch', () => {
    it('prints each event once, with the amount and owner of its object', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const customer_id = await makeCustomer(core, processing_id, 'Ada \u001b[31mPark')
      const first = await pay(core, 12.5, { customer_id })
      const lines = new Lines(start(core.place, ['watch', '--last', '2', '--json']))
      const shown = [await lines.event(), await lines.event()]
      expect(shown.map(({ trigger }) => trigger)).to.deep.equal(['payment', 'processed'])
      for (const event of shown)
        expect(event).to.include({ triggered_on_id: first, amount: 12.5, name: 'Ada \u001b[31mPark' })
      const ids = []
      for (let amount = 1; amount <= 20; amount++) ids.push(await pay(core, amount))
      const seen = []
      while (seen.length < 40) seen.push(await lines.event())
      expect(seen.map(({ triggered_on_id: id }) => id)).to.deep.equal(ids.flatMap((id) => [id, id]))
      expect(await lines.end()).to.equal(0)
    })

    it('accepts list filters, several triggers, and one kind of object', async () => {
      const core = await openCore(open)
      const processing_id = await makeProcessing(core)
      const customer_id = await makeCustomer(core, processing_id)
      await pay(core, 999.99, { customer_id })
      const large = await pay(core, 1000, { customer_id })
      await pay(core, 2000)
      const words = ['--amount', '>=1,000', '--where', 'customer.name=?*park', '--trigger', 'payment']
      const lines = new Lines(
        start(core.place, ['watch', '--last', '50', '--json', '--trigger', 'decline', ...words]),
      )
      expect(await lines.event()).to.include({ triggered_on_id: large, trigger: 'payment', amount: 1000 })
      const later = await pay(core, 1500, { customer_id })
      expect(await lines.event()).to.include({ triggered_on_id: later })
      expect(await lines.end()).to.equal(0)
    })
  })
})

onSqlite((open) => {
  describe('payctl watch', () => {
    it('refuses an invalid filter before it waits', async () => {
      const { place } = await openCore(open)
      const unknown = await payctl(place, ['watch', '--where', 'amuont=5'])
      expect(unknown).to.include({ exitCode: 3, stdout: '' })
      expect((await payctl(place, ['watch', '--trigger', 'nothing'])).exitCode).to.equal(2)
    })

    it('ends when its reader closes the pipe', async () => {
      const core = await openCore(open)
      await makeProcessing(core)
      await pay(core, 1)
      const env = { PATH: process.env['PATH'], PAYCTL_HOME: core.place.home }
      const watching = `"${process.execPath}" "${RUN}" watch --last 1 2>/dev/null | head -n 1`
      const shell = spawn('bash', ['-c', watching], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const lines = new Lines(shell)
      expect(await lines.next()).to.match(/processed +processed +1\.00 {2}txn_\w+$/)
      const closed = once(shell, 'close')
      let isOver = false
      void closed.then(() => {
        isOver = true
      })
      while (!isOver) await pay(core, 2)
      expect((await closed)[0]).to.equal(0)
    })
  })
})

describe('a line of payctl watch', () => {
  const event = {
    trigger: 'payment',
    triggered_at: '2031-01-31 12:00:05',
    triggered_on_value: 'processed',
    triggered_on_id: 'txn_0Vbcf1Nl000s4VuV55F1fE',
    amount: 1234.5,
    name: 'Ada\u001b[2J Park',
  }

  it('fits 80 columns', () => {
    const line = eventLine(event, { width: 80, colour: false, zone: 'UTC' })
    expect(line).to.equal('01-31 12:00:05  payment            processed        $1,234.50  txn_…F1fE  Ada […')
    expect(line.length).to.be.at.most(80)
  })

  it('is aligned with the others at 120 columns, and not cut in a pipe', () => {
    const wide = (more: JsonObject) =>
      eventLine({ ...event, ...more }, { width: 120, colour: false, zone: 'UTC' })
    expect(wide({})).to.equal(
      '2031-01-31 12:00:05  payment            processed        $1,234.50  txn_0Vbcf1Nl000s4VuV55F1fE  Ada [2J Park',
    )
    const other = wide({
      trigger: 'automatic_payment',
      amount: 99_999_999.99,
      triggered_on_value: 'declined',
    })
    expect(other.indexOf('txn_')).to.equal(wide({}).indexOf('txn_'))
    expect(eventLine({ ...event, amount: null, name: null }, { colour: false })).to.equal(
      '2031-01-31 12:00:05  payment            processed                   txn_0Vbcf1Nl000s4VuV55F1fE',
    )
  })
})

describe('the follow mode', () => {
  it('shows every object, even if the service fails between an event and its object', async () => {
    const stopping = new AbortController()
    const unavailable = new Refusal({
      status: 503,
      headers: {},
      body: { object: 'error', error_type: 'ServiceUnavailable', error_description: 'Restarting' },
    })
    const answers = [[{ id: 'a' }], [{ id: 'b' }], [{ id: 'b' }, { id: 'c' }]]
    let isAway = true
    const selected: string[][] = []
    const printed: unknown[] = []
    await follow({
      interrupted: stopping.signal,
      every: 0,
      say: () => undefined,
      ask: async () => answers.shift() ?? [],
      select: async (objects) => {
        selected.push(objects.map(({ id }) => String(id)))
        if (isAway) {
          isAway = false
          throw unavailable
        }
        return objects.filter(({ id }) => id !== 'b')
      },
      print: async ({ id }) => {
        printed.push(id)
        if (id === 'c') stopping.abort()
      },
    })
    expect(selected).to.deep.equal([['a'], ['a', 'b'], ['c']])
    expect(printed).to.deep.equal(['a', 'c'])
  })
})
