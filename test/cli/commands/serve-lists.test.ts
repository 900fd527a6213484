import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { ListThreads } from '../../../src/cli/list-threads/list-threads.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import { listOf, objectOf } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { type Server, startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

/** Lists of every kind, and paths that only look like lists. */
const PATHS = [
  '/customers',
  '/customers?limit=1',
  '/customers?name=Ada&fields=id,name',
  '/customers?fields=count(*),name&group_by=name&order_by=name',
  '/customers?name=Nobody',
  '/customers?limit=0',
  '/customers?nothing=1',
  '/nothing',
]

onSqlite((open) => {
  describe('payctl serve with lists on threads', () => {
    let place: Place
    let key: string
    const servers: Server[] = []
    before(async () => {
      place = await open.migrated()
      const made = await payctl(place, ['keys', 'create', '--json'])
      key = String(objectOf(JSON.parse(made.stdout)).secret_key)
      for (const threads of ['0', '2']) servers.push(await startServer(place, ['--list-threads', threads]))
    })
    after(async () => {
      for (const server of servers) expect(await server.stop()).to.equal(0)
    })

    const ask = async ({ address }: Server, path: string, init: RequestInit = {}) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        prefer: 'count=exact',
      }
      const response = await fetch(address + path, { headers, ...init })
      const { status } = response
      const [link, count] = ['link', 'x-total-count'].map((name) => response.headers.get(name))
      return { status, link, count, body: objectOf(JSON.parse(await response.text())) }
    }
    const pair = () => {
      const [without, threaded] = servers
      if (!without || !threaded) throw new Error('There are no servers')
      return { without, threaded }
    }

    it('answers lists with everything written before, by any process', async () => {
      const { without, threaded } = pair()
      for (const [writer, name] of [[threaded, 'Ada'] as const, [without, 'Bob'] as const]) {
        const body = JSON.stringify({ name, email: `${name}@example.com` })
        const { id } = (await ask(writer, '/customers', { method: 'POST', body })).body
        const { values = null } = (await ask(threaded, `/customers?name=${name}`)).body
        expect(values).to.have.deep.nested.property('[0].id', id)
      }
    })

    it('answers lists as it does without threads', async () => {
      const { without, threaded } = pair()
      const answers = await Promise.all(PATHS.map((path) => ask(threaded, path)))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 400, 400, 404])
      for (const [n, path] of PATHS.entries())
        expect(answers[n], path).to.deep.equal(await ask(without, path))
    })

    it('answers nested lists as it does without threads', async () => {
      const { without, threaded } = pair()
      const { values = null } = (await ask(without, '/customers?name=Ada')).body
      const id = String(listOf(values).map(objectOf)[0]?.id)
      for (const path of [
        `/customers/${id}?fields=*,payment_methods`,
        `/customers/${id}/payment_methods`,
        `/customers/${id}`,
      ])
        expect(await ask(threaded, path), path).to.deep.equal(await ask(without, path))
    })

    it('gives payments priority if there are fewer CPU cores than threads', async function () {
      if (process.platform !== 'linux' || getPriority() >= 10) this.skip()
      const threads = new ListThreads({
        file: resolve('dist/read-thread.cjs'),
        threads: 1,
        settings: () => ({ home: place.home, publicAddress: 'http://127.0.0.1' }),
        report: (error) => {
          throw error
        },
      })
      const usual = nicenesses()
      await threads.read('test', { method: 'GET', path: '/customers', principal: owner })
      const changed = nicenesses().filter((niceness) => !usual.includes(niceness))
      await threads.close()
      expect(changed).to.deep.equal([10])
    })
  })
})

/** Priorities of the threads of this process. */
function nicenesses(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const [, values = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(values.split(' ')[16])
  })
}
