import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import { charges } from './charges.js'
import { collections } from './collections.js'
import type { Examined, Finding, Pass } from './finding.js'
import { invoices } from './invoices.js'
import { schedules } from './schedules.js'
import { sealedBooks } from './sealed-books.js'
import { transactions } from './transactions.js'

const PASSES: readonly Pass[] = [transactions, invoices, charges, schedules, collections]

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
  for (const pass of PASSES) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const page = await read(async (work) => await pass.examine(work, from))
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
