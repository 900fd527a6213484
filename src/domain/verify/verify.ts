import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import { accounts, sealedNumbers } from './accounts.js'
import { charges, collections, schedules } from './billing.js'
import { events } from './events.js'
import type { Examined, Finding, Pass } from './finding.js'
import { invoices } from './invoices.js'
import { answers, batchRows } from './outcomes.js'
import { references, schema } from './references.js'
import { sealedBooks } from './sealed-books.js'
import { transactions } from './transactions.js'

/** What is proved, in this order: from every table that tells of money, each row has what it must, and has its cause. */
const CHECKS: readonly Pass[] = [
  schema,
  ...references,
  transactions,
  events,
  invoices,
  charges,
  schedules,
  collections,
  accounts,
  ...sealedNumbers,
  answers,
  batchRows,
]

/** So many findings are answered at most; that there are more is told by their number. */
const MAX_FINDINGS = 1_000

/** What a verification came to. */
export interface Verified {
  /** How many rows were looked at. */
  readonly examined: number
  /** How many rules are broken, and by which rows: the first thousand. */
  readonly found: number
  readonly findings: readonly Finding[]
}

/** Proves from the database alone that every rule of money holds, in many short reads. */
export async function verify(
  { read }: Pick<Steps, 'read'>,
  more: AsyncIterable<Omit<Examined, 'last'>>[] = [],
): Promise<Verified> {
  const findings: Finding[] = []
  let examined = 0
  let found = 0
  const add = (page: Omit<Examined, 'last'>) => {
    examined += page.count
    found += page.findings.length
    findings.push(...page.findings.slice(0, MAX_FINDINGS - findings.length))
  }
  for (const check of CHECKS) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const page = await read(async (work) => await check.examine(work, from))
      add(page)
      after = page.last
    }
  }
  for (const pages of more) for await (const page of pages) add(page)
  return { examined, found, findings }
}

export const verifyRule = (headFile: string): Pick<AdminRules, 'verify'> => ({
  verify: { performInSteps: async (steps) => ({ ...(await verify(steps, [sealedBooks(steps, headFile)])) }) },
})
