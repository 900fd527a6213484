import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Gateways } from '../gateways/gateways.js'
import { pullNow } from './pull-settlements.js'

/** Reads settlements when an operator requests it, even if they are not due. All gateways are read at the same time. */
export function pullRules(gateways: Gateways): Pick<AdminRules, 'pull_settlements'> {
  return {
    pull_settlements: {
      async performInSteps(steps, { gateway: only }) {
        const rows = await steps.read(async ({ tx }) => {
          const all = await tx.db
            .selectFrom('admin_gateways')
            .select(['id', 'name'])
            .where('deleted_at', 'is', null)
            .orderBy('name')
            .execute()
          return all.filter(({ name }) => !only || name === only)
        })
        if (only && rows.length === 0) throw invalidAttributes({ gateway: 'Not found' })
        const at = await steps.read(async ({ milliseconds }) => milliseconds)
        const counts = await Promise.all(rows.map(({ id }) => pullNow(steps.inBackground, gateways, id, at)))
        return await steps.read(async ({ tx: { db } }) => {
          const troubled = await db
            .selectFrom('admin_gateways')
            .select(['id', 'name', 'settlements_problem'])
            .where('settlements_problem', 'is not', null)
            .where('deleted_at', 'is', null)
            .orderBy('name')
            .execute()
          const { open } = await db
            .selectFrom('admin_exceptions')
            .select(({ fn }) => fn.countAll<number | string>().as('open'))
            .where('status', '=', 'open')
            .executeTakeFirstOrThrow()
          const read = new Set(rows.map(({ id }) => id))
          return {
            gateways: rows.length,
            lines: counts.reduce((sum, count) => sum + count, 0),
            exceptions: Number(open),
            problems:
              troubled
                .filter(({ id }) => read.has(id))
                .map(({ name, settlements_problem: problem }) => `${name} (${problem})`)
                .join(', ') || null,
          }
        })
      },
    },
  }
}
