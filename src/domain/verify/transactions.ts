import { allocationProblems } from './allocation.js'
import { balanceProblems } from './balance.js'
import { depositProblems } from './deposit.js'
import { eventProblems } from './events.js'
import { feeProblems } from './fees.js'
import { type Finding, findingsOf, type Pass } from './finding.js'
import { journalProblems } from './journal.js'
import { ledgerProblems } from './ledger.js'
import { statusProblems } from './status.js'
import { readStories, type TransactionHistory } from './transaction-history.js'

/** What is proved of each transaction, by the name of the rule. */
const TRANSACTION_RULES = {
  status: statusProblems,
  ledger: ledgerProblems,
  balance: balanceProblems,
  journal: journalProblems,
  deposit: depositProblems,
  fees: feeProblems,
  allocation: allocationProblems,
  events: eventProblems,
} as const satisfies Readonly<Record<string, (history: TransactionHistory) => string[]>>

export const transactions: Pass = {
  of: 'transactions',
  async examine(work, after) {
    const stories = await readStories(work, after)
    return {
      last: stories.at(-1)?.row.id,
      count: stories.length,
      findings: stories.flatMap(findings),
    }
  },
}

function findings(history: TransactionHistory): Finding[] {
  return Object.entries(TRANSACTION_RULES).flatMap(([rule, problemsOf]) =>
    findingsOf(rule, history.row.id, problemsOf(history)),
  )
}
