import { expect } from 'chai'
import type { ClientRequest } from '../../../../src/cli/terminal/client/client.js'
import { remoteClient } from '../../../../src/cli/terminal/remote/remote-client.js'
import {
  type HttpAnswer,
  type HttpRequest,
  NetworkError,
} from '../../../../src/platform/network/network-contract.js'
import { rejection } from '../../../support/rejection.js'

const get: ClientRequest = { method: 'GET', path: '/customers' }
const post: ClientRequest = { method: 'POST', path: '/customers', body: { name: 'Ada' } }

function answer(status: number, headers: Record<string, string> = {}): HttpAnswer {
  const body = status < 400 ? { id: 'acct_1' } : { object: 'error', error_description: 'Not now' }
  return { status, headers: { 'x-api-version': 'v1', ...headers }, text: JSON.stringify(body) }
}

/** A client on a network with the given answers or error codes, one after another. */
function on(outcomes: readonly (HttpAnswer | string)[], server = 'https://pay.example.com/api/') {
  const requests: HttpRequest[] = []
  const pauses: number[] = []
  const said: string[] = []
  const left = [...outcomes]
  const client = remoteClient(
    { server, key: 'test_secret_key_x', patience: 1_000, retries: 3, say: (text) => said.push(text) },
    {
      network: {
        ask: async (request) => {
          requests.push(request)
          const outcome = left.shift() ?? 'none left'
          if (typeof outcome === 'string') throw new NetworkError(outcome, undefined)
          return outcome
        },
        close: () => undefined,
      },
      pause: async (milliseconds) => pauses.push(milliseconds),
      newKey: () => 'made',
    },
  )
  return { client, requests, pauses, said }
}

describe('a remote service', () => {
  it('receives the same requests as the core, below its own base path', async () => {
    const { client, requests } = on([answer(200)])
    const query = [
      ['name', 'a b&c=ü'],
      ['sum(amount)', '>1'],
    ] as const
    await client.send({ method: 'GET', path: '/customers/a%2Fb', query, count: true, dryRun: true })
    const [{ target, headers, body, method } = { target: '', headers: {}, body: '', method: '' }] = requests
    expect({ method, target, body }).to.deep.equal({
      method: 'GET',
      target: '/api/customers/a%252Fb?name=a%20b%26c%3D%C3%BC&sum(amount)=%3E1',
      body: undefined,
    })
    expect(headers).to.deep.include({
      prefer: 'dry-run, count=exact',
      authorization: 'Bearer test_secret_key_x',
    })
  })

  it('answers with the headers of the core', async () => {
    const headers = { link: '<x>; rel="next"', 'x-total-count': '3', date: 'today' }
    const { client } = on([answer(200, headers)])
    expect(await client.send(get)).to.deep.equal({
      status: 200,
      body: { id: 'acct_1' },
      headers: { Link: '<x>; rel="next"', 'X-Total-Count': '3' },
    })
  })

  it('receives a retry with the same idempotency key after a missing answer, with growing pauses', async () => {
    const { client, requests, pauses, said } = on(['ECONNRESET', 'ECONNREFUSED', answer(200)])
    expect((await client.send(post)).status).to.equal(200)
    expect(requests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(['made', 'made', 'made'])
    expect(pauses).to.deep.equal([500, 1_000])
    expect(said).to.deep.equal([
      'https://pay.example.com/api/ closed the connection before it answered; check its log, and try again. Trying again in 1 s.',
      'Nobody listens at https://pay.example.com/api/; start payctl serve there, or fix the address. Trying again in 1 s.',
    ])
  })

  it('gets the delay that it requests, unless it is long', async () => {
    const patient = on([
      answer(429, { 'retry-after': '7' }),
      answer(503),
      answer(409, { 'retry-after': '1' }),
      answer(200),
    ])
    expect((await patient.client.send(get)).status).to.equal(200)
    expect(patient.pauses).to.deep.equal([7_000, 1_000, 1_000])
    const impatient = on([answer(503, { 'retry-after': '300' })])
    expect((await impatient.client.send(get)).status).to.equal(503)
    expect(impatient.pauses).to.deep.equal([])
  })

  it('receives no retry after a refusal', async () => {
    for (const status of [400, 401, 404, 409, 422, 500]) {
      const { client, requests } = on([answer(status)])
      expect((await client.send(post)).status).to.equal(status)
      expect(requests.length).to.equal(1)
    }
  })

  it('receives a given idempotency key unchanged, and no generated key for reads', async () => {
    const { client, requests } = on([answer(200), answer(200), answer(200)])
    await client.send({ ...post, idempotencyKey: 'mine' })
    await client.send({ ...post, dryRun: true })
    await client.send(get)
    expect(requests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
      'mine',
      undefined,
      undefined,
    ])
  })

  const html = { status: 200, headers: { 'content-type': 'text/html' }, text: '<p>Hello</p>' }
  const failures: readonly (readonly [string, readonly (HttpAnswer | string)[], RegExp])[] = [
    ['a name that is not known', ['ENOTFOUND'], /The host pay\.example\.com is not known \(DNS: ENOTFOUND\)/],
    ['nobody who listens', Array(4).fill('ECONNREFUSED'), /Nobody listens at .*; start payctl serve there/],
    ['silence', Array(4).fill('ETIMEDOUT'), /did not answer within 1 seconds.*PAYCTL_TIMEOUT/],
    [
      'a certificate that ended',
      ['CERT_HAS_EXPIRED'],
      /not trusted \(CERT_HAS_EXPIRED\).*NODE_EXTRA_CA_CERTS/,
    ],
    ['a certificate of its own', ['DEPTH_ZERO_SELF_SIGNED_CERT'], /is not trusted/],
    ['no TLS', ['EPROTO'], /does not speak TLS/],
    ['another service', [html], /is no payctl \(status 200, text\/html\)/],
    ['a broken proxy', Array(4).fill({ ...html, status: 502 }), /cannot reach payctl \(status 502\)/],
    [
      'a new address',
      [{ ...html, status: 301, headers: { location: 'https://new' } }],
      /redirects to https:\/\/new/,
    ],
    ['what only looks like it', [{ ...answer(200), text: '[]' }], /is no payctl/],
  ]
  for (const [what, outcomes, message] of failures)
    it(`reports ${what} in one sentence`, async () => {
      const { client, requests } = on(outcomes)
      const error = await rejection(client.send(get))
      expect(error.name).to.equal('RemoteError')
      expect(error.message).to.match(message)
      expect(requests.length).to.equal(outcomes.length)
    })
})
