import { eventProblems } from './events.js'
import { feeProblems } from './fees.js'
import { fundingProblems } from './funding.js'
import { invoiceProblems } from './invoices.js'
import { journalProblems } from './journal.js'
import type { Kept } from './kept.js'
import { ledgerProblems } from './ledger.js'
import { statusProblems } from './status.js'

/**
 * Derives anew what the books of an environment must hold, by the rules of money alone and not by the code that wrote
 * them. Answers what is wrong, in words; nothing when all is well and no operation is open. Example:
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
