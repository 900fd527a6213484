import { expect } from 'chai'
import { pick } from '../../../simulation/simulate.js'
import { Known } from '../../../simulation/world/known.js'
import { makeProcessing } from '../../../simulation/world/operations.js'
import { World } from '../../../simulation/world/world.js'
import { keepDaySums } from '../../../src/domain/reports/keep-day-sums.js'
import { readCursor } from '../../../src/domain/reports/report-cursor.js'
import { addDays, daysBetween } from '../../../src/platform/calendar/date.js'
import { instantOf, localDate } from '../../../src/platform/calendar/zone.js'
import { datetimeOf, millisecondsOf } from '../../../src/schema/datetime.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { type BookedPosting, readJournal } from './read-journal.js'

const ZONE = 'America/New_York'
const HOUR = 3_600_000
const STORIES = 120
const NAMES = ['summary', 'statement', 'deposits', 'fees', 'disputes', 'aging', 'journal'] as const

onDatabases((open) => {
  describe('reports of random histories', () => {
    let world: World
    let core: TestCore
    let journal: readonly BookedPosting[]
    let today: string
    let place: Place
    const known = new Known()

    const tell = async (stories: number) => {
      for (let n = 0; n < stories; n++) {
        world.clock.advance(world.chance.integer(1, 9) * HOUR)
        await pick(world)(world, known)
        if (world.chance.percent(30)) await world.settle()
      }
      await world.settle()
    }
    const look = async () => {
      await world.close()
      core = await openCore(open, { ...place, clock: { now: () => world.clock.now() } })
      journal = await readJournal(core)
      today = localDate(ZONE, world.clock.now())
    }
    before(async () => {
      place = await open.migrated()
      world = new World({ place, seed: 20_310_301 })
      for (let n = 0; n < 3; n++) await makeProcessing(world, known)
      await tell(STORIES)
      await look()
    })
    after(() => world.close())

    const read = async (name: string, from: string, to: string, account?: string): Promise<JsonObject> =>
      await core.ok('GET', `/admin/reports/${name}`, undefined, {
        query: `from=${from}&to=${to}${account === undefined ? '' : `&account=${account}`}`,
      })
    const periods = (): [string, string][] => {
      const first = addDays('2031-03-01', -1)
      return [
        [first, today],
        ['2031-03-01', '2031-03-31'],
        ['2031-03-08', '2031-03-09'],
        ['2031-03-09', '2031-03-09'],
        ['2031-03-10', '2031-03-10'],
        ['2031-03-31', '2031-04-01'],
        ['2031-01-01', '2031-01-31'],
        [today, today],
        [addDays(today, 1), addDays(today, 40)],
      ]
    }
    const accounts = () => [undefined, ...known.processing]
    const each = async (check: (from: string, to: string, account: string | undefined) => Promise<void>) => {
      for (const [from, to] of periods()) for (const account of accounts()) await check(from, to, account)
    }
    const inside = (from: string, to: string, account: string | undefined) => {
      const start = datetimeOf(instantOf(ZONE, from))
      const end = datetimeOf(instantOf(ZONE, addDays(to, 1)))
      return journal.filter(
        (posting) =>
          (account === undefined || posting.processing_id === account) &&
          posting.created_at >= start &&
          posting.created_at < end,
      )
    }
    const change = (book: string, postings: readonly BookedPosting[]) =>
      postings.reduce(
        (sum, { from_account, to_account, amount }) =>
          sum + (to_account === book ? amount : 0) - (from_account === book ? amount : 0),
        0,
      )

    it('end a statement with the balance of the journal, for every account and period', async () => {
      await each(async (from, to, account) => {
        const { totals, rows } = await read('statement', from, to, account)
        const figures = objectOf(totals)
        const before = change('merchant_payable', inside('2031-01-01', addDays(from, -1), account))
        const within = change('merchant_payable', inside(from, to, account))
        const shown = `${from} to ${to} of ${account}`
        expect(cents(figures.opening), shown).to.equal(before)
        expect(cents(figures.closing), shown).to.equal(before + within)
        expect(cents(figures.net), shown).to.equal(within)
        const balances = new Map<unknown, number>()
        for (const row of listOf(rows).map(objectOf)) {
          const last = balances.get(row.processing_id) ?? 0
          const balance =
            row.kind === 'opening' ? cents(row.balance) : last + cents(row.amount) - cents(row.fee)
          balances.set(row.processing_id, balance)
          expect(cents(row.balance), `${shown}: ${row.object_id}`).to.equal(balance)
        }
      })
    })

    it('are the same read in portions as in one piece', async () => {
      for (const name of ['statement', 'journal']) {
        const whole = await read(name, '2031-02-20', today)
        const rows: Json[] = []
        let after = ''
        const cuts: string[] = []
        let last: JsonObject = {}
        do {
          const query = `from=2031-02-20&to=${today}&limit=7${after}`
          last = await core.ok('GET', `/admin/reports/${name}`, undefined, { query })
          rows.push(...listOf(last.rows))
          const next = readCursor(String(last.next))
          if (next) cuts.push(next.moment)
          after = `&after=${last.next}`
        } while (last.next !== null)
        expect({ ...last, rows }).to.deep.equal(whole)
        expect(cuts.some((moment) => !isMidnight(moment))).to.equal(true)
      }
    })

    it('show every posting once in the journal', async () => {
      await each(async (from, to, account) => {
        const { rows } = await read('journal', from, to, account)
        const shown = listOf(rows).map((row) => objectOf(row).posting_id)
        const expected = inside(from, to, account).map(({ id }) => id)
        expect(shown.toSorted()).to.deep.equal(expected.toSorted())
      })
    })

    it('show the same deposits as the statement', async () => {
      await each(async (from, to, account) => {
        const { totals, rows } = await read('deposits', from, to, account)
        const statement = await read('statement', from, to, account)
        const figures = objectOf(totals)
        const paid = listOf(statement.rows)
          .map(objectOf)
          .filter(({ kind }) => kind === 'deposit' || kind === 'reversal')
        const amount = paid.reduce((sum, row) => sum - cents(row.amount), 0)
        expect(cents(figures.amount)).to.equal(amount)
        expect(cents(figures.on_its_way)).to.equal(cents(objectOf(statement.totals).closing))
        for (const row of listOf(rows).map(objectOf)) {
          if (row.kind === 'on_its_way') continue
          expect(cents(row.payments) + cents(row.others) - cents(row.fee), `${row.object_id}`).to.equal(
            cents(row.amount),
          )
        }
      })
    })

    it('list the same deposits as the API', async () => {
      const { rows } = await read('deposits', '2031-01-01', today)
      const sent = listOf(rows)
        .map(objectOf)
        .filter(({ kind }) => kind !== 'on_its_way')
      const { values } = await core.ok('GET', '/transactions', undefined, {
        query: 'type=deposit|reversal&status=processed&limit=1000&fields=id,type,amount,fee',
      })
      const listed = listOf(values).map(objectOf)
      expect(sent.length).to.be.above(5)
      expect(sent.map(shownDeposit).toSorted()).to.deep.equal(listed.map(signed).map(shownDeposit).toSorted())
    })

    it('show fees equal to the journal, and volume equal to the payments', async () => {
      await each(async (from, to, account) => {
        const fees = objectOf((await read('fees', from, to, account)).totals)
        const booked = inside(from, to, account)
        expect(cents(fees.earned)).to.equal(change('fee_income', booked))
        expect(cents(fees.cost)).to.equal(-change('processor_cost', booked))
        expect(cents(fees.margin)).to.equal(
          change('fee_income', booked) + change('processor_cost', booked) + change('chargeback_loss', booked),
        )
        const { totals, rows } = await read('summary', from, to, account)
        expect(listOf(rows).length).to.equal(daysBetween(from, to) + 1)
        expect(cents(objectOf(totals).volume)).to.equal(cents(fees.volume))
        const daily = listOf(rows).reduce<number>((sum, row) => sum + cents(objectOf(row).volume), 0)
        expect(daily).to.equal(cents(objectOf(totals).volume))
      })
    })

    it('show the same disputes as the statement', async () => {
      await each(async (from, to, account) => {
        const { totals } = await read('disputes', from, to, account)
        const statement = await read('statement', from, to, account)
        const lines = listOf(statement.rows)
          .map(objectOf)
          .filter(({ kind }) => kind === 'chargeback' || kind === 'chargeback_reversal')
        expect(cents(objectOf(totals).amount)).to.equal(
          lines.reduce((sum, { amount }) => sum + cents(amount), 0),
        )
      })
    })

    it('show the amount due of all invoices in receivables', async () => {
      const { totals } = await read('aging', today, today)
      const { values } = await core.ok('GET', '/invoices', undefined, {
        query: 'limit=1000&fields=id,amount_due',
      })
      const due = listOf(values).reduce<number>((sum, row) => sum + cents(objectOf(row).amount_due), 0)
      expect(cents(objectOf(totals).total)).to.equal(due)
    })

    it('stay the same to the byte while their period gets no new postings', async () => {
      const to = addDays(today, -1)
      const texts = async () => {
        const all: string[] = []
        for (const name of NAMES)
          for (const account of accounts())
            all.push(JSON.stringify(await read(name, '2031-02-20', to, account)))
        return all
      }
      const before = await texts()
      await tell(30)
      await look()
      expect(localDate(ZONE, world.clock.now()) > to).to.equal(true)
      expect(await texts()).to.deep.equal(before)
      const kept = await keepDaySums(core.environment.runner, new AbortController().signal)
      expect(kept).to.be.above(10)
      expect(await texts()).to.deep.equal(before)
    })
  })
})

function isMidnight(moment: string): boolean {
  return moment === datetimeOf(instantOf(ZONE, localDate(ZONE, millisecondsOf(moment))))
}

/** Converts an amount from the API to cents; 0 if there is no amount. */
function cents(amount: unknown): number {
  return typeof amount === 'number' ? Math.round(amount * 100) : 0
}

function signed({ id, type, amount, fee }: JsonObject): JsonObject {
  return {
    object_id: id ?? null,
    amount: cents(amount) * (type === 'deposit' ? 0.01 : -0.01),
    fee: fee ?? null,
  }
}

function shownDeposit({ object_id, amount, fee }: JsonObject): string {
  return `${object_id} ${cents(amount)} ${cents(fee)}`
}
