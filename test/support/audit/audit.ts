import { eventProblems } from './events.js'
import { feeProblems } from './fees.js'
import { fundingProblems } from './funding.js'
import { invoiceProblems } from './invoices.js'
import { journalProblems } from './journal.js'
import type { Kept } from './kept.js'
import { ledgerProblems } from './ledger.js'
import { statusProblems } from './status.js'

/**
 * Derives the expected books of an environment from the money rules alone, not with the code that wrote them.
 * Returns the problems in words; empty if the books are correct and no operation is pending. Example:
 * `audit(await store.read(readKept))`
 */
export function audit(kept: Kept): string[] {
  return [
    ...statusProblems(kept),
    ...feeProblems(kept),
    ...ledgerProblems(kept),
    ...journalProblems(kept),
    ...fundingProblems(kept),
    ...eventProblems(kept),
    ...invoiceProblems(kept),
    ...(kept.unanswered > 0 ? [`${kept.unanswered} idempotency records have no answer`] : []),
  ]
}
