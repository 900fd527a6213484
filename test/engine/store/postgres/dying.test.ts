import { expect } from 'chai'
import pg from 'pg'
import { openApp } from '../../../../src/app.js'
import { owner } from '../../../../src/engine/core/request/principal.js'
import type { ApiResponse } from '../../../../src/engine/core/request/request.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf } from '../../../support/core.js'
import { onPostgres, type Place } from '../../../support/databases.js'
import { card, processingAccount } from '../../../support/examples.js'
import { inHome } from '../../../support/home.js'
import { startPostgres } from '../../../support/postgres-server.js'

const CLIENTS = 12

describe('a PostgreSQL server that fails', () => {
  onPostgres((open) => {
    it('and cuts connections during requests: each request is either done, or answered 503 and not done', async () => {
      const place = await open.migrated()
      const answers = await underLoad(place, async (count) => {
        const killer = new pg.Client({ connectionString: place.databaseUrl })
        await killer.connect()
        for (let kill = 1; kill <= 20; kill++) {
          await untilMore(count, 5)
          await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'payctl' and pid <> pg_backend_pid() and datname = current_database()`)
        }
        await killer.end()
      })
      expectDoneOrLater(answers)
    })

    it('and stops during requests: they are answered 503', async () => {
      const server = await startPostgres()
      await inHome(async (home) => {
        const place: Place = { dialect: 'postgres', home, databaseUrl: `${server.url}postgres` }
        const answers = await underLoad(place, async (count) => {
          await untilMore(count, 20)
          await server.stop()
          await untilMore(count, 50)
        })
        expectDoneOrLater(answers)
      })
    })
  })
})

/** Sends payments and reads until `meanwhile` is done. Its argument returns the number of answers. */
async function underLoad(
  place: Place,
  meanwhile: (count: () => number) => Promise<void>,
): Promise<readonly ApiResponse[]> {
  const app = openApp({ ...place, report: () => undefined })
  try {
    const { core } = await app.environment('test')
    const ask = (method: 'GET' | 'POST', path: string, body?: JsonObject) =>
      core.handle({ method, path, body, principal: owner })
    const processing_id = idOf((await ask('POST', '/processing_accounts', processingAccount())).body)
    const payment = { type: 'payment', amount: 1, processing_id, payment_method: card() }
    const answers: ApiResponse[] = []
    let isOver = false
    const client = async () => {
      while (!isOver) {
        answers.push(await ask('POST', '/transactions', payment))
        answers.push(await ask('GET', '/transactions'))
      }
    }
    const working = Array.from({ length: CLIENTS }, client)
    await meanwhile(() => answers.length).finally(() => {
      isOver = true
    })
    await Promise.all(working)
    return answers
  } finally {
    await app.close()
  }
}

async function untilMore(count: () => number, more: number): Promise<void> {
  const before = count()
  while (count() < before + more) await new Promise((resolve) => setImmediate(resolve))
}

function expectDoneOrLater(answers: readonly ApiResponse[]): void {
  const other = answers.filter(({ status }) => status !== 200 && status !== 503)
  expect(other).to.deep.equal([])
  const later = answers.filter(({ status }) => status === 503)
  expect(later).to.not.be.empty
  for (const { headers, body } of later) {
    expect(headers).to.have.property('Retry-After')
    expect(body).to.include({ object: 'error', error_type: 'ServiceUnavailable' })
  }
}
