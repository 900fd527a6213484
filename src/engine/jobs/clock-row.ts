import { prepared } from '../store/database/prepared.js'
import type { Runs, Tx } from '../store/database/store.js'
import type { ClockRow } from '../store/database/tables.js'

const ID = 'clock'

/** Offset of the clock and the end of a running advance; zero and null if it was never moved. */
export async function readClockRow(database: Runs): Promise<Omit<ClockRow, 'id'>> {
  const [row] = await database.run(clockRow, {})
  return row ?? { offset_milliseconds: 0, advancing_until: null }
}

const clockRow = prepared<object, ClockRow>((db) => db.selectFrom('clock').selectAll().where('id', '=', ID))

export async function setOffset({ db }: Tx, offset: number): Promise<void> {
  await db
    .insertInto('clock')
    .values({ id: ID, offset_milliseconds: offset, advancing_until: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ offset_milliseconds: offset }))
    .execute()
}

/** Raises the offset to at least `offset`, so that two concurrent advances never set the clock back. */
export async function advanceTo({ db }: Tx, offset: number, until: number): Promise<void> {
  await db
    .insertInto('clock')
    .values({ id: ID, offset_milliseconds: Math.max(offset, 0), advancing_until: until })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        advancing_until: until,
        offset_milliseconds: eb
          .case()
          .when('clock.offset_milliseconds', '<', offset)
          .then(offset)
          .else(eb.ref('clock.offset_milliseconds'))
          .end(),
      })),
    )
    .execute()
}

export async function endAdvance({ db }: Tx): Promise<void> {
  await db.updateTable('clock').set({ advancing_until: null }).where('id', '=', ID).execute()
}
