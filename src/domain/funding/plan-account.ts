import { businessDayAt, lastCutOff, monthEndAt } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import { fixedFeesOf } from './decide-bill.js'
import { type Charges, chargesOf, plusCharges } from './decide-deposit.js'
import { type Day, type ExpectedDay, expectedDay, notBegun } from './expected.js'
import type { FundingAccount } from './funding-account.js'
import { nothingAtAll, plus } from './item.js'
import { emptyGroup, type GroupTotals, plusGroup } from './read-totals.js'

/** A deposit, a reversal or a bill that a run will make. Amounts in minor units. */
export interface Planned {
  readonly processingId: string
  /** The business day, or the month. */
  readonly period: string
  readonly type: 'deposit' | 'reversal'
  readonly amount: Minor
  readonly fee: Minor
  /** How many transactions stand in it. */
  readonly transactions: number
}

/** What is stored about an account that a run has to do with. */
export interface AccountState {
  readonly account: FundingAccount
  /** What waits, by the end of the business day when it is due. */
  readonly days: ReadonlyMap<string, GroupTotals>
  /** A deposit that was begun. */
  readonly open: Open | undefined
  /** Fees that wait for the month's bill. */
  readonly carried: Minor
  /** Deposits that there are, by their days, with their fees. */
  readonly made: ReadonlyMap<string, Minor>
}

export interface Open {
  readonly period: string
  readonly dueAt: string
  readonly begun: Day['begun']
}

/** What a run does for an account until a datetime, in the order of time; computed by the rules that the run obeys. */
export function planAccount(state: AccountState, until: string): Planned[] {
  const planning = new Planning(state)
  for (;;) {
    const moment = planning.next()
    if (moment === undefined || moment > until) return planning.planned
    planning.day(moment)
    planning.bill(moment)
  }
}

class Planning {
  readonly planned: Planned[] = []
  private readonly account: FundingAccount
  private readonly days: Map<string, GroupTotals>
  private readonly made: Map<string, Minor>
  private open: Open | undefined
  private carried: Minor
  private billMonth: string | null
  private billDueAt: string | null

  constructor({ account, days, open, carried, made }: AccountState) {
    this.account = account
    this.days = new Map(days)
    this.made = new Map(made)
    this.open = open
    this.carried = carried
    this.billMonth = account.billMonth
    this.billDueAt = account.billDueAt
  }

  next(): string | undefined {
    const moments = [...this.days.keys(), this.open?.dueAt, this.billDueAt]
    return moments.filter((moment) => typeof moment === 'string').sort()[0]
  }

  day(moment: string): void {
    const open = this.open && this.open.dueAt <= moment ? this.open : undefined
    const group = this.days.get(moment)
    if (!open && !group) return
    this.days.delete(moment)
    const { account } = this
    const period = open?.period ?? lastCutOff(account.cutOff, millisecondsOf(moment)).date
    const day = { ...account, group: group ?? emptyGroup, begun: open?.begun ?? notBegun }
    const expected = expectedDay(day)
    if (account.billing === 'billed_monthly')
      this.carried += sumOf(chargesOf(account.billing, day.group.lone))
    if (expected.outcome.kind === 'waits' || (!open && this.made.has(period))) this.wait(moment, day, open)
    else this.make(period, expected)
  }

  bill(moment: string): void {
    if (this.billDueAt !== moment) return
    const { account, billMonth: period, carried } = this
    const next = monthEndAt(account.cutOff, millisecondsOf(moment))
    this.billDueAt = datetimeOf(next.endsAt)
    this.billMonth = next.date.slice(0, 7)
    if (period === null) return
    const { monthlyFee, minimumBill: minimum } = account
    const taken = [...this.made].filter(([day]) => day.startsWith(period)).map(([, fee]) => fee)
    const fixed = fixedFeesOf({ carried, taken: taken.reduce(add, 0), monthlyFee, minimum })
    const amount = carried + fixed
    this.carried = 0
    if (amount > 0) this.plan({ period, type: 'reversal', amount, fee: amount, transactions: 0 })
  }

  /** Nothing comes out today: what is begun stays open, everything else waits for the next day. */
  private wait(moment: string, { billing, group, begun }: Day, open: Open | undefined): void {
    const next = datetimeOf(businessDayAt(this.account.cutOff, millisecondsOf(moment)).endsAt)
    const lone = billing === 'netted_daily' ? group.lone : nothingAtAll
    if (open) {
      const { entries, entered } = begun
      const totals = plus(group.entering, lone)
      const charges = plusCharges(begun.charges, chargesOf(billing, totals))
      const more = { entries: entries + totals.entries, entered: entered + totals.entered, charges }
      this.open = { ...open, dueAt: next, begun: more }
    } else if (group.entering.entries > 0 || lone.fee + lone.accrued + lone.convFee > 0) {
      const waiting = { entering: group.entering, lone }
      this.days.set(next, plusGroup(this.days.get(next) ?? emptyGroup, waiting))
    }
  }

  private make(period: string, { outcome, entries, charges }: ExpectedDay): void {
    if (outcome.kind === 'waits') return
    this.open = undefined
    this.carried += charges.carried
    this.made.set(period, charges.fee)
    const { kind: type, amount } = outcome
    this.plan({ period, type, amount, fee: charges.fee, transactions: entries })
  }

  private plan(planned: Omit<Planned, 'processingId'>): void {
    this.planned.push({ processingId: this.account.id, ...planned })
  }
}

function sumOf({ fee, carried }: Charges): Minor {
  return fee + carried
}

function add(a: number, b: number): number {
  return a + b
}
