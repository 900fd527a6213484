import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import { charges } from './charges.js'
import { collections } from './collections.js'
import type { Finding, Pass } from './finding.js'
import { invoices } from './invoices.js'
import { schedules } from './schedules.js'
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
export async function verify({ read }: Pick<Steps, 'read'>): Promise<Verified> {
  const findings: Finding[] = []
  let examined = 0
  let found = 0
  for (const pass of PASSES) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const page = await read(async (work) => await pass.examine(work, from))
      examined += page.count
      found += page.findings.length
      findings.push(...page.findings.slice(0, MAX_FINDINGS - findings.length))
      after = page.last
    }
  }
  return { examined, found, findings }
}

export const verifyRule: Pick<AdminRules, 'verify'> = {
  verify: { performInSteps: async (steps) => ({ ...(await verify(steps)) }) },
}
