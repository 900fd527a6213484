import { type Finding, findingsOf } from '../pass/finding.js'
import type { ExaminedPage, Pass } from '../pass/pass.js'
import { dueProblems } from './due.js'
import { eventProblems } from './events.js'
import { allocationProblems } from './invoices.js'
import { journalProblems } from './journal.js'
import { readHistories } from './read-histories.js'
import type { TransactionHistory } from './transaction-history.js'
import { GatheredUnindexed, type GatheringLimits, READ_EACH_TIME } from './unindexed.js'
import { balanceProblems, ledgerProblems } from './verify-ledger.js'
import { settlementProblems } from './verify-settlement.js'
import { feeProblems, statusProblems } from './verify-states.js'

/** Rules that are checked for each transaction, by the name that findings show. */
const TRANSACTION_RULES = {
  status: statusProblems,
  ledger: ledgerProblems,
  balance: balanceProblems,
  journal: journalProblems,
  deposit: settlementProblems,
  fees: feeProblems,
  due: dueProblems,
  allocation: allocationProblems,
  events: eventProblems,
} as const satisfies Readonly<Record<string, (history: TransactionHistory) => string[]>>

/**
 * Pass over transactions. Each verification needs a new pass, because a pass gathers values that would be outdated
 * later.
 */
export function transactions(limits?: GatheringLimits): Pass {
  const unindexed = new GatheredUnindexed(limits)
  return {
    of: 'transactions',
    async examine(work, after) {
      if (await unindexed.readOn(work, after)) return { last: after, count: 0, findings: [] }
      const page = examined(await readHistories(work, after, unindexed), unindexed.until)
      if (page.findings.length === 0) return page
      // The missing values may have been written after they were gathered, so a finding is confirmed by a fresh read.
      return examined(await readHistories(work, after, READ_EACH_TIME))
    },
  }
}

/** Examines a page of transactions. `end` is the position for a page without transactions. */
function examined(histories: readonly TransactionHistory[], end?: string): ExaminedPage {
  return {
    last: histories.at(-1)?.row.id ?? end,
    count: histories.length,
    findings: histories.flatMap(findings),
  }
}

function findings(history: TransactionHistory): Finding[] {
  return Object.entries(TRANSACTION_RULES).flatMap(([rule, problemsOf]) =>
    findingsOf(rule, history.row.id, () => problemsOf(history)),
  )
}
