import type { Work } from '../../engine/core/write/work.js'
import { ONE_PIECE, times } from '../../schema/money.js'
import { findingsOf, PAGE, type Pass } from './finding.js'

/** A charge of a billing schedule is its amount times its quantity. Spec: "Billing charge". */
export const charges: Pass = {
  of: 'billing charges',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('billing_charges')
      .select(['id', 'amount', 'qty', 'total'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return {
      last: rows.at(-1)?.id,
      count: rows.length,
      findings: rows.flatMap(({ id, amount, qty, total }) => {
        const whole = times(amount ?? 0, qty ?? ONE_PIECE)
        return total === whole ? [] : findingsOf('charge', id, [`It totals ${total}, and should ${whole}`])
      }),
    }
  },
}
