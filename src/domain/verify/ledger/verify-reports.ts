import type { Work } from '../../../engine/core/write/work.js'
import { WHOLE_DAY } from '../../reports/day-sums.js'
import { countBetween, type JournalSum, readSums } from '../../reports/live-sums.js'
import { momentsOfDays } from '../../reports/report-period.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { passOver } from '../pass/pass.js'

/**
 * Verifies that the sums kept for a day, from which reports are made, equal those of the journal. Outdated days are
 * skipped: reports do not use them.
 */
export const keptSums = passOver(
  'days of reports',
  (db) => db.selectFrom('report_days').select(['id', 'zone', 'day', 'number']).where('kind', '=', WHOLE_DAY),
  async (work, days) => {
    const findings: Finding[] = []
    for (const day of days) findings.push(...findingsOf('report', day.id, await dayProblems(work, day)))
    return { count: days.length, findings }
  },
)

interface KeptDay {
  readonly zone: string
  readonly day: string
  readonly number: number
}

async function dayProblems({ tx: { db } }: Work, { zone, day, number }: KeptDay): Promise<readonly string[]> {
  const moments = momentsIn(zone, day)
  if (!moments) return [`It is of ${day} in ${zone}, which cannot be read`]
  if ((await countBetween(db, moments)) !== number) return []
  const kept = await db
    .selectFrom('report_days')
    .select(['kind', 'processing_id', 'from_account', 'to_account', 'number', 'amount'])
    .where('zone', '=', zone)
    .where('day', '=', day)
    .where('kind', '!=', WHOLE_DAY)
    .execute()
  const sums = await readSums(db, moments, undefined)
  return shown(kept) === shown(sums)
    ? []
    : ['Its sums are not those of the journal, and reports are wrong: delete all rows of report_days']
}

/** The moments of a day; undefined for a zone or day that does not exist. */
function momentsIn(zone: string, day: string) {
  try {
    return momentsOfDays({ from: day, to: day }, zone)
  } catch {
    return undefined
  }
}

function shown(sums: readonly JournalSum[]): string {
  return sums
    .map(({ kind, processing_id, from_account, to_account, number, amount }) =>
      JSON.stringify([kind, processing_id, from_account, to_account, Number(number), Number(amount)]),
    )
    .toSorted()
    .join('\n')
}
