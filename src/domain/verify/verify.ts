import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { KnownBooks } from '../../engine/store/books/compare-head.js'
import { readSignedHead } from '../../engine/store/books/signed-head.js'
import { events } from './events.js'
import { exceptions } from './exceptions.js'
import type { Finding } from './finding.js'
import { invoices } from './invoices.js'
import { links } from './links.js'
import { answers } from './outcomes.js'
import { type Examined, type Pass, pagesFrom } from './pass.js'
import { settlementLines, settlements } from './settlements.js'
import { transactions } from './transactions.js'
import { accounts, sealedNumbers } from './verify-accounts.js'
import { activityLines } from './verify-activity.js'
import { batches, batchRows } from './verify-batches.js'
import { charges, schedules } from './verify-billing.js'
import { bars, collections } from './verify-collecting.js'
import { chargebacks, disputes } from './verify-disputes.js'
import { payouts } from './verify-payouts.js'
import { references, schemaFindings } from './verify-references.js'
import { keptSums } from './verify-reports.js'
import { sealedBooks } from './verify-sealed-books.js'

/** Checks in the order in which they run: in every table about money, each row is complete and follows from others. */
const checks = (): readonly Pass[] => [
  ...references,
  transactions(),
  events,
  exceptions,
  disputes,
  chargebacks,
  invoices,
  charges,
  schedules,
  collections,
  bars,
  accounts,
  ...sealedNumbers,
  links,
  answers,
  batches,
  batchRows,
  settlements,
  settlementLines,
  payouts,
  keptSums,
]

/** Largest number of findings listed; `found` counts all of them. */
const MAX_FINDINGS = 1_000

/** Result of a verification. */
export interface Verified {
  /** Number of rows examined. */
  readonly examined: number
  readonly found: number
  /** The first thousand findings. */
  readonly findings: readonly Finding[]
}

/**
 * Proves from the database alone that every rule of money holds, in many short reads. `more` adds pages of other
 * checks. Of a database without some of its tables or columns, only the schema is checked.
 */
export async function verify(
  { read }: Pick<Steps, 'read'>,
  more: AsyncIterable<Examined>[] = [],
): Promise<Verified> {
  const findings: Finding[] = []
  let examined = 0
  let found = 0
  const add = (page: Examined) => {
    examined += page.count
    found += page.findings.length
    findings.push(...page.findings.slice(0, MAX_FINDINGS - findings.length))
  }
  const { isWhole, findings: ofSchema } = await read(async ({ tx }) => await schemaFindings(tx))
  add({ count: 0, findings: ofSchema })
  if (!isWhole) return { examined, found, findings }
  for (const check of checks()) {
    const pages = pagesFrom('', (after) => read(async (work) => await check.examine(work, after)))
    for await (const page of pages) add(page)
  }
  for await (const page of activityLines(read)) add(page)
  for (const pages of more) for await (const page of pages) add(page)
  return { examined, found, findings }
}

/**
 * Rule of `verify`. `knownBooks` reads the facts about the books that are kept in the home directory, outside of the
 * database.
 */
export const verifyRule = (knownBooks: () => KnownBooks): Pick<AdminRules, 'verify'> => ({
  verify: {
    async performInSteps(steps, { head: text }) {
      const head = typeof text === 'string' ? readSignedHead(text) : undefined
      if (typeof text === 'string' && !head) throw invalidAttributes({ head: 'Must be a signed head' })
      return { ...(await verify(steps, [sealedBooks(steps, knownBooks, head)])) }
    },
  },
})
