import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { KnownBooks } from '../../engine/store/books/compare-head.js'
import { readSignedHead } from '../../engine/store/books/signed-head.js'
import { MAX_FINDINGS } from '../../resources/admin/verify-operation.js'
import { events } from './ledger/events.js'
import { invoices } from './ledger/invoices.js'
import { answers } from './ledger/outcomes.js'
import { transactions } from './ledger/transactions.js'
import { keptSums } from './ledger/verify-reports.js'
import { sealedBooks } from './ledger/verify-sealed-books.js'
import type { Finding } from './pass/finding.js'
import { type Examined, type Pass, pagesFrom } from './pass/pass.js'
import { links } from './people/links.js'
import { accounts, sealedNumbers } from './people/verify-accounts.js'
import { activityLines } from './people/verify-activity.js'
import { batches, batchRows } from './people/verify-batches.js'
import { charges, schedules } from './people/verify-billing.js'
import { bars, collections } from './people/verify-collecting.js'
import { references, schemaFindings } from './people/verify-references.js'
import { exceptions } from './settlements/exceptions.js'
import { settlementLines, settlements } from './settlements/settlements.js'
import { chargebacks, disputes } from './settlements/verify-disputes.js'
import { payouts } from './settlements/verify-payouts.js'

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

/** Result of a verification. */
export interface Verified {
  /** Number of rows examined. */
  readonly examined: number
  readonly found: number
  /** The first thousand findings. */
  readonly findings: readonly Finding[]
}

/** The parts of a proof: the rules of money unless `false`, and pages of checks of the sealed books. */
interface Parts {
  readonly rules?: boolean
  readonly books?: AsyncIterable<Examined>
}

/**
 * Proves from the database alone that every rule of money holds, in many short reads. If a database lacks some of its
 * tables or columns, only its schema is checked, among the rules.
 */
export async function verify(
  { read }: Pick<Steps, 'read'>,
  { rules = true, books }: Parts = {},
): Promise<Verified> {
  const findings: Finding[] = []
  let examined = 0
  let found = 0
  const add = async (pages: Iterable<Examined> | AsyncIterable<Examined>) => {
    for await (const page of pages) {
      examined += page.count
      found += page.findings.length
      findings.push(...page.findings.slice(0, MAX_FINDINGS - findings.length))
    }
  }
  const { isWhole, findings: ofSchema } = await read(async ({ tx }) => await schemaFindings(tx))
  if (rules) await add([{ count: 0, findings: ofSchema }])
  if (isWhole && rules) await add(rulesOfMoney(read))
  if (isWhole && books) await add(books)
  return { examined, found, findings }
}

async function* rulesOfMoney(read: Steps['read']): AsyncGenerator<Examined> {
  for (const check of checks())
    yield* pagesFrom('', (after) => read(async (work) => await check.examine(work, after)))
  yield* activityLines(read)
}

/**
 * Rule of `verify`. `knownBooks` reads the facts about the books that are kept in the home directory, outside of the
 * database.
 */
export const verifyRule = (knownBooks: () => KnownBooks): Pick<AdminRules, 'verify'> => ({
  verify: {
    async performInSteps(steps, { head: text, only }) {
      const head = typeof text === 'string' ? readSignedHead(text) : undefined
      if (typeof text === 'string' && !head) throw invalidAttributes({ head: 'Must be a signed head' })
      const books = only === 'rules' ? {} : { books: sealedBooks(steps, knownBooks, head) }
      return { ...(await verify(steps, { rules: only !== 'books', ...books })) }
    },
  },
})
