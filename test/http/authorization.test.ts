import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { owner, type Principal } from '../../src/engine/core/request/principal.js'
import { LIMITS } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import { createServer } from '../../src/http/server.js'
import { systemRandom } from '../../src/platform/random.js'
import { datetimeOf } from '../../src/schema/datetime.js'
import type { JsonObject } from '../../src/schema/json.js'
import { endpointsOf } from '../../src/schema/openapi/endpoints.js'
import { type Asked, type IdOf, waysTo } from '../engine/core/access/asked.js'
import { digest } from '../engine/core/access/digest.js'
import { inPart, partOfCommit } from '../engine/core/access/part-of-commit.js'
import { textOf } from '../engine/core/access/passes.js'
import { firstOf, makeMerchant, unknownLike } from '../engine/core/merchants.js'
import { registry } from '../support/contract/document.js'
import { check } from '../support/contract/violations.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'

const START = Date.UTC(2027, 0, 4, 15)
const endpoints = endpointsOf(registry)

/** Tests requests to every endpoint over HTTP with invalid keys, about existing objects. */
onDatabases((open) => {
  describe('a key over HTTP', () => {
    let now = START
    let core: TestCore
    let server: FastifyInstance
    let mine: IdOf
    before(async () => {
      const clock = { now: () => now }
      core = await openCore(open, { clock })
      const { app } = core
      const limits = { ...LIMITS, unknownKeyRate: 0 }
      server = createServer({ app, limits, log: openLog('silent'), random: systemRandom, clock })
      const merchant = await makeMerchant(core)
      const key = idOf(await core.ok('POST', '/admin/keys', {}))
      mine = ({ plural, admin }) => (admin ? key : firstOf(merchant, plural))
    })

    const everyWay = (at: IdOf) =>
      partOfCommit(
        endpoints.flatMap((one) => waysTo(one, { mine: at, at })),
        core.place,
      )
    const oneWay = (at: IdOf) =>
      partOfCommit(
        endpoints.flatMap((one) => waysTo(one, { mine: at, at }).slice(0, 1)),
        core.place,
      )

    /** Sends requests with a key as dry runs; returns the different answers, with ids replaced. */
    async function heard(key: string | undefined, at: IdOf, asked: readonly Asked[]): Promise<Set<string>> {
      const ids = new Set(registry.all.map(at))
      const texts = new Set<string>()
      for (const { method, path, query = '', body } of asked) {
        const { statusCode: status, body: text } = await server.inject({
          method,
          url: `${path}?${query}`,
          headers: { prefer: 'dry-run', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          ...(method !== 'GET' && body !== undefined && { payload: Object(body) }),
        })
        if (status !== 200) check({ method, path }, { status, body: JSON.parse(text) })
        const answer = { status, body: JSON.parse(text), headers: {} }
        const shown = textOf(answer, (id) => (ids.has(id) ? '<id>' : undefined))
        // On PostgreSQL, the cursor `next` of events advances even without new events.
        texts.add(`${method} ${shown.replace(/"next":"\d+\.\w*"/, '"next":"<far>"')}`)
      }
      return texts
    }

    const made = async (body: JsonObject): Promise<{ id: string; key: string }> => {
      const { id, secret_key: key } = await core.ok('POST', '/admin/keys', { manage: true, ...body })
      return { id: String(id), key: String(key) }
    }

    const NONE: readonly (readonly [what: string, key: () => Promise<string | undefined>])[] = [
      ['that is not sent', async () => undefined],
      ['that is unknown', async () => `test_secret_key_${'0'.repeat(43)}`],
      ['in an invalid form', async () => 'hunter2'],
      [
        'that is revoked',
        async () => {
          const { id, key } = await made({})
          await core.ok('DELETE', `/admin/keys/${id}`)
          return key
        },
      ],
      [
        'that was rotated',
        async () => {
          const { id, key } = await made({})
          await core.ok('POST', `/admin/keys/${id}/rotate`, {})
          return key
        },
      ],
      [
        'that has expired',
        async () => {
          const { key } = await made({ expires_at: datetimeOf(now + 60_000) })
          now += 60_000
          return key
        },
      ],
      [
        'of a page whose creator was revoked',
        async () => {
          const { id } = await made({})
          const principal: Principal = { kind: 'key', id, manage: true }
          const client = await core.ok('POST', '/access_tokens', { type: 'client' }, { principal })
          await core.ok('DELETE', `/admin/keys/${id}`)
          return idOf(client)
        },
      ],
      ['of the other environment without its prefix', async () => (await made({})).key.replace('test_', '')],
    ]
    for (const [what, make] of NONE) {
      it(
        `${what} is answered 401 for any request, which writes no row`,
        inPart(async () => {
          const key = await make()
          const stored = await digest(core.app)
          const asked = oneWay(mine)
          const answers = [...(await heard(key, mine, asked))]
          expect(answers.filter((answer) => !/^[A-Z]+ \[401,/.test(answer))).to.deep.equal([])
          // All paths have the same answer, so there is one per method.
          expect(answers).to.have.length(new Set(asked.map(({ method }) => method)).size)
          expect(await digest(core.app)).to.deep.equal(stored)
        }),
      )
    }

    it(
      'of live has no access to test',
      inPart(async () => {
        const { core: live } = await core.app.environment('live')
        const body = { manage: true }
        const made = await live.handle({ method: 'POST', path: '/admin/keys', body, principal: owner })
        const key = String(made.body.secret_key)
        const stored = await digest(core.app)
        const lives = await digest(core.app, 'live')
        const nobodys: IdOf = (resource) => unknownLike(mine(resource))
        const ofNobody = await heard(key, nobodys, everyWay(nobodys))
        expect(
          [...(await heard(key, mine, everyWay(mine)))].filter((answer) => !ofNobody.has(answer)),
        ).to.deep.equal([])
        expect(await digest(core.app)).to.deep.equal(stored)
        expect(await digest(core.app, 'live')).to.deep.equal(lives)
      }),
    )
  })
})
