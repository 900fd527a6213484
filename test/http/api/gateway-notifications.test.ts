import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { MAX_WAITING } from '../../../src/domain/reconciliation/receive-notifications.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'

const PEER_KEY = Buffer.alloc(24, 7).toString('base64')
const STRIPE_SECRET = 'whsec_Zq7noted'
const SIGNATURE_KEY = 'A1'.repeat(64)
const CARD = '4242424242424242'

/** A rail's gateway, its signatures, and the shape of its notifications. */
interface Rail {
  readonly configuration: JsonObject
  readonly sign: (body: Buffer) => Record<string, string>
  readonly shape: JsonObject
}

const SECRET = { secret_key: 'test_secret_key_x' }
const PEER_SHAPE: JsonObject = {
  id: 'evt_1',
  object: 'event',
  trigger: 'payment',
  triggered_on: { id: 'txn_there', object: 'transaction' },
}
const RAILS: Readonly<Record<string, Rail>> = {
  unsigned: {
    configuration: { kind: 'peer', base_url: 'http://127.0.0.1:1', credentials: SECRET },
    sign: () => ({}),
    shape: PEER_SHAPE,
  },
  peer: {
    configuration: {
      kind: 'peer',
      base_url: 'http://127.0.0.1:1',
      credentials: { ...SECRET, notification_secret: `whsec_${PEER_KEY}` },
    },
    sign: (body) => {
      const digest = createHmac('sha256', Buffer.from(PEER_KEY, 'base64')).update('m.1.').update(body)
      return {
        'webhook-id': 'm',
        'webhook-timestamp': '1',
        'webhook-signature': `v1,${digest.digest('base64')}`,
      }
    },
    shape: PEER_SHAPE,
  },
  stripe: {
    configuration: {
      kind: 'stripe',
      base_url: 'http://127.0.0.1:1',
      credentials: { secret_key: 'sk_test_x', notification_secret: STRIPE_SECRET },
    },
    sign: (body) => {
      const at = Math.floor(Date.now() / 1000)
      const digest = createHmac('sha256', STRIPE_SECRET).update(`${at}.`).update(body).digest('hex')
      return { 'stripe-signature': `t=${at},v1=${digest}` }
    },
    shape: {
      id: 'evt_1',
      object: 'event',
      type: 'charge.succeeded',
      account: 'acct_1',
      data: { object: { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', client_secret: 'x' } },
    },
  },
  authorizenet: {
    configuration: {
      kind: 'authorizenet',
      base_url: 'http://127.0.0.1:1',
      credentials: { login_id: 'login', transaction_key: 'key', signature_key: SIGNATURE_KEY },
    },
    sign: (body) => {
      const digest = createHmac('sha512', Buffer.from(SIGNATURE_KEY, 'hex')).update(body).digest('hex')
      return { 'x-anet-signature': `sha512=${digest}` }
    },
    shape: {
      notificationId: 'note-1',
      eventType: 'net.authorize.payment.authcapture.created',
      payload: { entityName: 'transaction', id: '60000000001' },
    },
  },
}

/**
 * Unusual texts: empty, with characters that databases refuse, names of prototypes, with hidden characters,
 * with a card number, or very long.
 */
const ODD_TEXTS = [
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '‮evt',
  `evt ${CARD}`,
  'x'.repeat(5_000),
]
const oddly = (value: Json): fc.Arbitrary<Json | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: nested(value) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json | undefined>(undefined, null, 5, -0, [], {}, [value], CARD),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((each) => JSON.parse(JSON.stringify(each))) },
  )
const nested = (value: Json): fc.Arbitrary<Json | undefined> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fc.constant(value)
  const fields = Object.entries(value).map(([name, inner]) => [name, oddly(inner)] as const)
  return fc.record(Object.fromEntries(fields)).map((made) => JSON.parse(JSON.stringify(made)))
}
const oddBody = (shape: JsonObject): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 8, arbitrary: oddly(shape).map((made) => Buffer.from(JSON.stringify(made) ?? '')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  )

/**
 * Possible statuses of the answer to a body. Stripe signs text, so invalid UTF-8 or a byte order mark cannot be
 * signed, and 400 is allowed.
 */
const answersTo = (name: string, body: Buffer): readonly number[] => {
  const text = new TextDecoder().decode(body)
  const isSigned = name !== 'unsigned' && Buffer.from(text).equals(body)
  return isSigned ? [200] : [200, 400]
}

/** Bodies that are invalid, unusual or deeply nested JSON, or contain very long values. */
const oddTexts = (shape: JsonObject): readonly Buffer[] => {
  const text = JSON.stringify(shape)
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  return [
    '',
    'null',
    '"text"',
    '[]',
    '{',
    deep,
    `${'{"a":'.repeat(80_000)}1${'}'.repeat(80_000)}`,
    text.replace('{', `{"deep":${deep},`),
    `\uFEFF${text}`,
    text.replace('{', '{"id":"evt_0","notificationId":"n0",'),
    text.replaceAll(/"(evt_1|note-1)"/g, `"${'9'.repeat(400_000)}"`),
    `"${'\\"'.repeat(200_000)}`,
  ].map((each) => Buffer.from(each))
}

describe('gateway notifications over HTTP', () => {
  onDatabases((open) => {
    let service: HttpService
    let key: string
    const gateways = new Map<string, string>()
    before(async () => {
      const options = { gatewayLoopback: true, report: () => undefined }
      service = await httpService(await open.migrated(), options)
      open.atEnd(() => service.stop())
      key = await service.key({ manage: true })
      for (const [name, { configuration }] of Object.entries(RAILS)) {
        const made = await service.ask(key, 'POST', '/admin/gateways', { name, ...configuration })
        gateways.set(name, idOf(made.body))
      }
    })
    const post = async (name: string, body: Buffer, headers: Record<string, string> = {}) => {
      const path = `${service.address}/gateways/${gateways.get(name)}/notifications`
      const response = await fetch(path, { method: 'POST', headers, body: new Uint8Array(body) })
      await response.text()
      return response
    }
    const stored = async (name: string) => {
      const path = `/admin/gateway_notifications?gateway=${name}&fields=*,raw&limit=1000&order_by=-id`
      return valuesOf((await service.ask(key, 'GET', path)).body)
    }

    for (const [name, { sign, shape }] of Object.entries(RAILS)) {
      it(`never cause a failure when a stranger posts to ${name}, signed or not`, async () => {
        await fc.assert(
          fc.asyncProperty(oddBody(shape), async (body) => {
            const signed = await post(name, body, sign(body))
            expect(signed.status).to.be.oneOf(answersTo(name, body))
            expect((await post(name, body)).status).to.be.oneOf([200, 400])
          }),
          { numRuns: 60 },
        )
        for (const body of oddTexts(shape)) {
          const { status } = await post(name, body, sign(body))
          expect(status, body.toString('utf8', 0, 40)).to.be.oneOf(answersTo(name, body))
        }
        const raws = (await stored(name)).map(({ raw, event_id: id, type }) => `${raw} ${id} ${type}`)
        expect(raws.join()).to.not.include(CARD)
      })
    }

    it('without a signature are stored only with id, trigger and subject', async () => {
      const sent = { ...PEER_SHAPE, id: 'evt_kept', card_number: CARD, cvv: '123', note: 'x'.repeat(1_000) }
      expect((await post('unsigned', Buffer.from(JSON.stringify(sent)))).status).to.equal(200)
      const [kept] = (await stored('unsigned')).filter(({ event_id: id }) => id === 'evt_kept')
      expect(kept).to.include({
        type: 'payment',
        gateway_id: 'txn_there',
        raw: '{"id":"evt_kept","trigger":"payment","triggered_on":{"id":"txn_there"}}',
      })
    })

    it('in an unknown format are stored without a subject, even if signed', async () => {
      const body = Buffer.from('{"object":"event","id":"evt_odd","type":[],"data":null}')
      expect((await post('stripe', body, RAILS['stripe']?.sign(body))).status).to.equal(200)
      const [odd] = (await stored('stripe')).filter(({ event_id: id }) => id === 'evt_odd')
      expect(odd).to.include({ about: 'nothing', gateway_id: null, type: 'unknown' })
    })

    it('are refused once too many of their gateway wait, but accepted for other gateways', async () => {
      const { core } = await service.app.environment('test')
      await core.write(async ({ tx }) => {
        // More than the limit, because the service may handle some of them at the same time.
        for (let batch = 0; batch < MAX_WAITING / 100 + 5; batch++)
          await tx.db
            .insertInto('admin_gateway_notifications')
            .values(
              Array.from({ length: 100 }, (_, n) => ({
                ...blank(`gn_${String(batch * 100 + n).padStart(22, '0')}`),
                gateway: 'unsigned',
                event_id: `flood ${batch} ${n}`,
              })),
            )
            .execute()
      })
      const body = Buffer.from(JSON.stringify({ ...PEER_SHAPE, id: 'evt_beyond' }))
      const refused = await post('unsigned', body)
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '300'])
      expect((await stored('unsigned')).map(({ event_id: id }) => id)).to.not.include('evt_beyond')
      expect((await post('peer', body, RAILS['peer']?.sign(body))).status).to.equal(200)
    })

    /** Row of a notification that waits to be handled and has no problem. */
    const blank = (id: string) => ({
      id,
      created_at: '2030-01-15 17:00:00',
      modified_at: '2030-01-15 17:00:00',
      deleted_at: null,
      attrs: null,
      gateway: null,
      event_id: null,
      type: 'x',
      about: 'nothing' as const,
      reference: null,
      gateway_id: null,
      status: 'waiting' as const,
      problem: null,
      raw: '{}',
      handled_at: null,
    })
  })
})
