import { eventProblems } from './events.js'
import { type Finding, findingsOf } from './finding.js'
import { allocationProblems } from './invoices.js'
import { journalProblems } from './journal.js'
import { balanceProblems, ledgerProblems } from './ledger.js'
import type { Pass } from './pass.js'
import { settlementProblems } from './settlement.js'
import { dueProblems, feeProblems, statusProblems } from './states.js'
import { readHistories, type TransactionHistory } from './transaction-history.js'

/** What is proved of each transaction, by the name that findings show. */
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

export const transactions: Pass = {
  of: 'transactions',
  async examine(work, after) {
    const histories = await readHistories(work, after)
    return {
      last: histories.at(-1)?.row.id,
      count: histories.length,
      findings: histories.flatMap(findings),
    }
  },
}

function findings(history: TransactionHistory): Finding[] {
  return Object.entries(TRANSACTION_RULES).flatMap(([rule, problemsOf]) =>
    findingsOf(rule, history.row.id, () => problemsOf(history)),
  )
}
