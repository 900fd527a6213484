import { expect } from 'chai'
import { injectable } from './inject.js'

describe('HTTP requests', () => {
  it('become the same ApiRequest as the corresponding command', async () => {
    const { ask, last } = injectable()
    const answer = await ask({
      method: 'POST',
      url: '/transactions/?fields=*,ledger',
      headers: { 'idempotency-key': 'abc 1', prefer: 'dry-run, count=exact' },
      payload: { amount: 10.5, payment_method: { type: 'card' } },
    })
    expect(answer.status).to.equal(200)
    const { requestId, ...request } = last() ?? {}
    expect(requestId).to.match(/^req_/)
    expect(request).to.deep.equal({
      method: 'POST',
      path: '/transactions/',
      through: 'http',
      query: [['fields', '*,ledger']],
      body: { amount: 10.5, payment_method: { type: 'card' } },
      principal: { kind: 'key', id: 'key_echo', manage: true, role: 'owner' },
      idempotencyKey: 'abc 1',
      dryRun: true,
      count: true,
    })
    expect(answer.headers).to.include({ 'preference-applied': 'dry-run' })
  })

  it('mean the same as JSON, as a form and as multipart', async () => {
    const { ask, last } = injectable()
    const body = { amount: '10', ledger: [{ assoc_transaction_id: 'txn_1' }] }
    const form = new FormData()
    form.append('amount', '10')
    form.append('ledger[0][assoc_transaction_id]', 'txn_1')
    const multipart = new Response(form)
    const bodies = [
      ['application/json; charset=utf-8', JSON.stringify(body)],
      ['application/json', `\uFEFF${JSON.stringify(body)}`],
      ['application/x-www-form-urlencoded', 'amount=10&ledger%5B0%5D%5Bassoc_transaction_id%5D=txn_1'],
      [multipart.headers.get('content-type') ?? '', await multipart.text()],
    ] as const
    for (const [type, payload] of bodies) {
      const answer = await ask({
        method: 'POST',
        url: '/transactions',
        headers: { 'content-type': type },
        payload,
      })
      expect(answer.status, type).to.equal(200)
      expect(last()?.body, type).to.deep.equal(body)
    }
  })

  it('may have an empty body; the body of a GET is ignored', async () => {
    const { ask, last } = injectable()
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
        expect((await ask({ method, url: '/accounts', headers })).status).to.equal(200)
        expect(last()?.body).to.equal(undefined)
      }
    }
    const answer = await ask({
      method: 'GET',
      url: '/accounts',
      headers: { 'content-type': 'text/csv' },
      payload: '{',
    })
    expect(answer.status).to.equal(200)
    expect(last()?.body).to.equal(undefined)
  })

  it('have paths decoded by segment, also in an absolute address', async () => {
    const { ask, last } = injectable()
    await ask({ method: 'GET', url: '/accounts/acct%5F1/payment_methods' })
    expect(last()?.path).to.equal('/accounts/acct_1/payment_methods')
    await ask({ method: 'GET', url: '/accounts/a%2Fb' })
    expect(last()?.path).to.equal('/accounts/a%2Fb')
    await ask({ method: 'DELETE', url: '/' })
    expect(last()?.path).to.equal('/')
  })

  it('may have a path and query up to the size of the headers', async () => {
    const { ask, last } = injectable()
    const ids = Array.from({ length: 1_000 }, (_, n) => `txn_${String(n).padStart(22, '0')}`).join('|')
    expect(
      (await ask({ method: 'DELETE', url: `/transactions?mode=query&id=${encodeURIComponent(ids)}` })).status,
    ).to.equal(200)
    expect(last()?.query).to.deep.equal([
      ['mode', 'query'],
      ['id', ids],
    ])
    expect((await ask({ method: 'GET', url: `/accounts/${'a'.repeat(5_000)}` })).status).to.equal(200)
  })

  it('are answered with headers that keep answers private', async () => {
    const { ask } = injectable()
    const { headers } = await ask({ method: 'GET', url: '/accounts' })
    expect(headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-api-version': 'v1',
    })
    expect(headers['x-request-id']).to.match(/^req_[\w-]{12}_1$/)
  })

  it('may name version v1 of the API, and no other version', async () => {
    const { ask } = injectable()
    for (const version of ['v1', '1', 'v1.0']) {
      const answer = await ask({ method: 'GET', url: '/accounts', headers: { 'x-api-version': version } })
      expect(answer.status).to.equal(200)
      expect(answer.headers['x-api-version']).to.equal('v1')
    }
    for (const version of ['v2', '', '2', 'latest']) {
      const answer = await ask({ method: 'GET', url: '/accounts', headers: { 'x-api-version': version } })
      expect(answer.status, version).to.equal(400)
      expect(answer.body).to.include({ object: 'error', error_type: 'BadRequest' })
    }
  })

  it('find /healthz without a key', async () => {
    const { server } = injectable()
    const answer = await server.inject({ method: 'GET', url: '/healthz' })
    expect(answer.statusCode).to.equal(200)
    expect(answer.json()).to.deep.equal({ status: 'ok' })
  })
})
