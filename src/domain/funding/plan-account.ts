import { businessDayAt, lastCutOff, monthEndAt } from '../../platform/calendar/cut-off.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import {
  addCharges,
  type BegunDeposit,
  billingOf,
  chargesOf,
  type DepositParts,
  type ExpectedDeposit,
  expectedDeposit,
  fixedFeesOf,
  notBegun,
} from './decide-deposit.js'
import type { FundingAccount } from './funding-account.js'
import { addTotals, noTotals } from './funding-item.js'
import { addGroups, emptyGroup, type GroupTotals } from './waiting-items.js'

/** A deposit, a reversal or a bill that a run will make. Amounts in minor units. */
export interface PlannedBatch {
  readonly processingId: string
  /** The business day of a deposit (`YYYY-MM-DD`), or the month of a bill (`YYYY-MM`). */
  readonly period: string
  readonly type: 'deposit' | 'reversal'
  readonly amount: Minor
  readonly fee: Minor
  /** Number of transactions in the batch. */
  readonly transactions: number
}

/** Stored data of an account from which its next batches follow. */
export interface AccountState {
  readonly account: FundingAccount
  /** Sums of the transactions that wait, by the end of the business day at which they are due. */
  readonly days: ReadonlyMap<string, GroupTotals>
  readonly open: OpenDeposit | undefined
  /** Fees that wait for the month's bill. */
  readonly carried: Minor
  /** The fees of deposits that exist, by day. */
  readonly made: ReadonlyMap<string, Minor>
}

/** A deposit that a run has begun and not completed. */
export interface OpenDeposit {
  readonly period: string
  readonly dueAt: string
  readonly begun: BegunDeposit
}

/**
 * Batches that a run will make for an account until a datetime, in the order of time. Uses the same rules as the run.
 */
export function planAccount(state: AccountState, until: string): PlannedBatch[] {
  const planning = new AccountPlanning(state)
  for (;;) {
    const moment = planning.next()
    if (moment === undefined || moment > until) return planning.planned
    planning.day(moment)
    planning.bill(moment)
  }
}

/** The state of an account, changed step by step in the same way as the planned run will change it. */
class AccountPlanning {
  readonly planned: PlannedBatch[] = []
  private readonly account: FundingAccount
  private readonly days: Map<string, GroupTotals>
  private readonly made: Map<string, Minor>
  private open: OpenDeposit | undefined
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

  /** The next datetime at which a deposit or a bill of the account is due. */
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
    const begun = open?.begun ?? notBegun
    const billing = billingOf(begun.charges, account.billing)
    const parts = { ...account, billing, group: group ?? emptyGroup, begun }
    const expected = expectedDeposit(parts)
    if (billing === 'billed_monthly') this.carried += chargesOf(billing, parts.group.feeOnly).carried
    if (expected.outcome.kind === 'waits' || (!open && this.made.has(period))) this.wait(moment, parts, open)
    else this.deposit(period, expected)
  }

  bill(moment: string): void {
    if (this.billDueAt !== moment) return
    const { account, billMonth: period, carried } = this
    const next = monthEndAt(account.cutOff, millisecondsOf(moment))
    this.billDueAt = datetimeOf(next.endsAt)
    this.billMonth = next.date.slice(0, 7)
    if (period === null || account.payouts !== 'simulated') return
    const fees = [...this.made].filter(([day]) => day.startsWith(period)).map(([, fee]) => fee)
    const taken = fees.reduce((sum, fee) => sum + fee, 0)
    const amount = carried + fixedFeesOf({ carried, taken, ...account })
    this.carried = 0
    if (amount > 0) this.plan({ period, type: 'reversal', amount, fee: amount, transactions: 0 })
  }

  /** Pays out no amount today: an open deposit stays open, and all other items wait for the next day. */
  private wait(moment: string, parts: DepositParts, open: OpenDeposit | undefined): void {
    const { billing, group, begun } = parts
    const next = datetimeOf(businessDayAt(this.account.cutOff, millisecondsOf(moment)).endsAt)
    const feeOnly = billing === 'netted_daily' ? group.feeOnly : noTotals
    if (open) {
      const totals = addTotals(group.due, feeOnly)
      this.open = {
        ...open,
        dueAt: next,
        begun: {
          entries: begun.entries + totals.entries,
          due: begun.due + totals.due,
          charges: addCharges(begun.charges, chargesOf(billing, totals)),
        },
      }
    } else if (group.due.entries > 0 || feeOnly.fee + feeOnly.accrued + feeOnly.convFee > 0) {
      const waiting = { due: group.due, feeOnly }
      this.days.set(next, addGroups(this.days.get(next) ?? emptyGroup, waiting))
    }
  }

  private deposit(period: string, { outcome, entries, charges }: ExpectedDeposit): void {
    if (outcome.kind === 'waits') return
    this.open = undefined
    this.carried += charges.carried
    this.made.set(period, charges.fee)
    const { kind: type, amount } = outcome
    this.plan({ period, type, amount, fee: charges.fee, transactions: entries })
  }

  private plan(planned: Omit<PlannedBatch, 'processingId'>): void {
    this.planned.push({ processingId: this.account.id, ...planned })
  }
}
