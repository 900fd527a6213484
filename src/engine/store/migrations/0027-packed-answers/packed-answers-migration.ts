import { sql } from 'kysely'
import { packAnswer } from '../../database/packed-answer.js'
import type { Tx } from '../../database/store.js'
import type { Migration } from '../builder/migration.js'

/** Answers that are read and packed at once. */
const BATCH_SIZE = 500

/** Stored answers are packed: they were two fifths of what a payment takes. */
export const packedAnswersMigration: Migration = async (tx) => {
  const { schema } = tx.any
  const bytes = tx.dialect === 'postgres' ? sql`bytea` : sql`blob`
  await schema.alterTable('idempotency_records').addColumn('packed', bytes).execute()
  let after: string | undefined = ''
  while (after !== undefined) after = await packSome(tx, after)
  await schema.alterTable('idempotency_records').dropColumn('body').execute()
}

/** Packs the next answers after an id; answers the last one's, or nothing when there are no more. */
async function packSome({ any }: Tx, after: string): Promise<string | undefined> {
  const rows = await any
    .selectFrom('idempotency_records')
    .select(['id', 'body'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute()
  for (const { id, body } of rows)
    if (typeof body === 'string')
      // As text of its own, which is not sealed again: the answer stays what it was.
      await sql`update idempotency_records set packed = ${packAnswer(body)} where id = ${String(id)}`.execute(
        any,
      )
  return rows.length < BATCH_SIZE ? undefined : String(rows.at(-1)?.id)
}
