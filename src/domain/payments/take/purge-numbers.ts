import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { AdminRules } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { addDuration, parseDuration } from '../../../platform/calendar/duration.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { dropNumbers } from '../../accounts/payment-method-rule.js'
import type { Gateways } from '../../gateways/gateways.js'
import { isTokenOf } from '../parties/stored-token.js'

/** Payment methods per unit of work. */
const PAGE = 200

/** Result for a number: it is dropped, or the reason why it is still needed. */
type Fate = 'dropped' | 'used' | 'pending' | 'without_token' | 'routed_elsewhere'

/**
 * Drops card and account numbers that are no longer needed. A number is dropped if its method was neither created nor
 * used within a given time. In addition, a token must replace the number at every gateway to which the method's
 * payments may go. Repeated runs drop the numbers that have become unneeded. See docs/gateways.md, "Tokens instead of
 * numbers".
 */
export function purgeRules(gateways: Gateways): Pick<AdminRules, 'purge_numbers'> {
  return {
    purge_numbers: {
      async performInSteps({ now, write }, { older_than: age }) {
        const until = momentBefore(now, age)
        const counts: Record<Fate, number> = {
          dropped: 0,
          used: 0,
          pending: 0,
          without_token: 0,
          routed_elsewhere: 0,
        }
        for (let after: string | undefined = ''; after !== undefined; )
          after = await write(async (work): Promise<string | undefined> => {
            const page = await work.tx.run(withNumbers, { after: after ?? '', until })
            for (const { id } of page) {
              const fate = await purge(work, gateways, id, until)
              if (fate) counts[fate]++
            }
            return page.length < PAGE ? undefined : page.at(-1)?.id
          })
        return { until, ...counts }
      },
    },
  }
}

/** The datetime that lies a duration, such as `13mo`, before `now`. Throws `InvalidAttributes`. */
function momentBefore(now: string, age: string | null | undefined): string {
  const duration = parseDuration(age ?? '')
  const { months = 0, days = 0, milliseconds = 0 } = duration ?? {}
  const moment = addDuration(millisecondsOf(now), {
    months: -months,
    days: -days,
    milliseconds: -milliseconds,
  })
  if (!duration || moment === undefined || moment < 0 || months + days + milliseconds === 0)
    throw invalidAttributes({ older_than: 'Must be a duration, such as 400d, 13mo or 2y' })
  return datetimeOf(moment)
}

async function purge(work: Work, gateways: Gateways, id: string, until: string): Promise<Fate | undefined> {
  const row = await work.lock(resources.payment_method, id)
  if (!row) return undefined
  const fate = await fateOf(work, gateways, row, until)
  if (fate === 'dropped') await dropNumbers(work, row)
  return fate
}

async function fateOf(work: Work, gateways: Gateways, row: PaymentMethodRow, until: string): Promise<Fate> {
  if (row.sealed_token === null) return 'without_token'
  const [last] = await work.tx.run(lastUse, { id: row.id })
  if (last && (last.created_at ?? '') > until) return 'used'
  const [open] = await work.tx.run(pendingUse, { id: row.id })
  if (open) return 'pending'
  const destinations = await gateways.destinations(work, row.type ?? 'card')
  const suffices = destinations.length > 0 && destinations.every((each) => isTokenOf(row, each))
  return suffices ? 'dropped' : 'routed_elsewhere'
}

const withNumbers = prepared<{ after: string; until: string }, Pick<PaymentMethodRow, 'id'>>((db, param) =>
  db
    .selectFrom('payment_methods')
    .select('id')
    .where('id', '>', param('after'))
    .where('created_at', '<=', param('until'))
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([eb('card__card_number', 'is not', null), eb('bank_account__account_number', 'is not', null)]),
    )
    .orderBy('id')
    .limit(PAGE),
)

const lastUse = prepared<{ id: string }, Pick<TransactionRow, 'created_at'>>((db, param) =>
  db
    .selectFrom('transactions')
    .select('created_at')
    .where('payment_method_id', '=', param('id'))
    .orderBy('created_at', 'desc')
    .limit(1),
)

const pendingUse = prepared<{ id: string }, Pick<TransactionRow, 'id'>>((db, param) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('payment_method_id', '=', param('id'))
    .where((eb) =>
      eb.or([eb('status', 'in', ['authorized', 'processing']), eb('pending_operation', 'is not', null)]),
    )
    .limit(1),
)
