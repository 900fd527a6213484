import type { Work } from '../../../engine/core/write/work.js'
import type { IdempotencyRow } from '../../../engine/store/database/tables.js'
import { ERRORS } from '../../../schema/error-types.js'
import { parsedJson } from '../../../schema/json.js'
import { formatMoney } from '../../../schema/money.js'
import { isTree } from '../../../schema/types.js'
import { findingsOf } from '../pass/finding.js'
import { passOver } from '../pass/pass.js'

/** A stored response shows transactions that exist, with their type and amount. */
export const answers = passOver(
  'kept responses',
  (db) => db.selectFrom('idempotency_records').selectAll(),
  async ({ tx: { db } }, rows) => {
    const kept = rows.map((row) => ({ row, body: bodyOf(row) }))
    const known = await transactionsNamed(
      db,
      kept.flatMap(({ body }) => objectsIn(body).map(({ id }) => String(id))),
    )
    return {
      count: rows.length,
      findings: kept.flatMap(({ row, body }) =>
        findingsOf('answer', row.id, () => [
          ...answerProblems(row, body),
          ...objectsIn(body).flatMap((object) => objectProblems(object, known)),
        ]),
      ),
    }
  },
)

interface Known {
  readonly id: string
  readonly type: string | null
  readonly amount: number | null
  readonly authorized_amount: number | null
}

function bodyOf({ answer, continuation }: IdempotencyRow): unknown {
  const text = answer ?? continuation
  return text === null ? undefined : parsedJson(text)
}

/** The transactions in a response: alone, in a list, or as the details of a decline. */
function objectsIn(body: unknown): Readonly<Record<string, unknown>>[] {
  if (!isTree(body)) return []
  if (body.object === 'list' && Array.isArray(body.values)) return body.values.flatMap(objectsIn)
  if (body.object === 'transaction') return [body]
  return body.error_type === 'TransactionDeclined' ? objectsIn(body.details) : []
}

async function transactionsNamed(
  db: Work['tx']['db'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const named = [...new Set(ids)]
  if (named.length === 0) return new Map()
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'type', 'amount', 'authorized_amount'])
    .where('id', 'in', named)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The type of a transaction never changes, and its amount only by the capture of a part. */
function objectProblems(
  shown: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, Known>,
): string[] {
  const { id, type, amount } = shown
  if (id === undefined) return []
  const stored = known.get(String(id))
  if (!stored) return [`It shows ${id}, which does not exist`]
  const isSame =
    (type === undefined || type === stored.type) &&
    (amount === undefined ||
      [stored.amount, stored.authorized_amount].some(
        (each) => Number(amount).toFixed(2) === formatMoney(each ?? 0),
      ))
  return isSame ? [] : [`It shows ${id} as a ${type} of ${amount}`]
}

function answerProblems({ status, answer, continuation }: IdempotencyRow, said: unknown): string[] {
  if (status === null)
    return continuation !== null && isTree(said) ? [] : ['It has neither a response nor a continuation']
  if (continuation !== null) return ['It has both a response and a continuation']
  // A response that showed a secret is not stored.
  if (answer === null) return []
  if (!isTree(said)) return ['Its response cannot be read']
  const type = said.error_type
  const expected = type === undefined ? 200 : STATUSES.get(String(type))
  return status === expected ? [] : [`Its response is ${type ?? 'an object'}, with the status ${status}`]
}

const STATUSES: ReadonlyMap<string, number> = new Map(Object.entries(ERRORS))
