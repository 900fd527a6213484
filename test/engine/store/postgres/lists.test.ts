import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { using } from '../../../../src/engine/store/database/raw-use.js'
import type { Tx } from '../../../../src/engine/store/database/store.js'
import { PostgresClient, sendTogether } from '../../../../src/engine/store/postgres/driver.js'
import { onPostgres, type TestDatabase } from '../../../support/databases.js'
import { rejection } from '../../../support/rejection.js'

describe('a list on PostgreSQL', () => {
  onPostgres((open) => {
    let db: TestDatabase
    beforeEach(async () => {
      db = await open()
    })
    const read = <T>(work: (tx: Tx) => Promise<T>) => db.store.read(work, { list: true })

    it('has rows as arrays: texts unchanged, all number types, and null', async () => {
      const values = await read((tx) =>
        tx.values({
          compile: () =>
            sql`select * from (values
              (1::bigint, 2, 2.5::numeric, 0.25::float8, 'né "x"', '7'::varchar, null::bigint),
              (-9007199254740991, 0, 0, 0, '', null, 3)) as given`.compile(tx.any),
        }),
      )
      expect(values).to.deep.equal([
        [1, 2, 2.5, 0.25, 'né "x"', '7', null],
        [-9007199254740991, 0, 0, 0, '', null, 3],
      ])
    })

    it('is refused if its statement fails, and the connection serves the next list', async () => {
      const first = await read(session)
      const error = await rejection(
        read((tx) => tx.values({ compile: () => sql`select 1/0`.compile(tx.any) })),
      )
      expect(error.message).to.equal('division by zero')
      expect((await read(session)).process).to.equal(first.process)
    })

    it('frees its connection before the server has ended its transaction', async () => {
      const first = await read(session)
      const second = await read(session)
      expect(second.process).to.equal(first.process)
      expect(second.began).to.not.equal(first.began)
    })

    it('sends the queries of one event-loop turn in one write at the end of the turn', async () => {
      const client = new PostgresClient({ connectionString: db.databaseUrl, pipeline: true })
      await client.connect()
      const { stream } = client.connection
      sendTogether(client)
      const answers = Promise.all([client.query('begin'), client.query('select $1::int as n', [1])])
      await Promise.resolve()
      expect([stream.writableCorked, stream.writableLength > 0]).to.deep.equal([1, true])
      await nextTurn()
      expect(stream.writableCorked).to.equal(0)
      expect((await answers)[1].rows).to.deep.equal([{ n: 1 }])
      const ended = once(client, 'end')
      await client.end()
      await ended
    })
  })
})

interface Session {
  readonly process: number
  readonly began: string
}

async function session(tx: Tx): Promise<Session> {
  const { rows } = await using(
    { reads: [] },
    sql<Session>`
    select pg_backend_pid() as process, cast(transaction_timestamp() as text) as began`,
  ).execute(tx.any)
  return rows[0] ?? { process: 0, began: '' }
}
