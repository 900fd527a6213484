import { expect } from 'chai'
import type { Client, ClientRequest } from '../../../src/cli/terminal/client/client.js'
import { model } from '../../../src/cli/terminal/declarations/declared-model.js'
import { Refusal } from '../../../src/cli/terminal/failure/failure.js'
import type { SpendingLimit } from '../../../src/cli/terminal/profiles/profile.js'
import { limitedClient } from '../../../src/cli/terminal/profiles/spending-limit.js'
import { rejection } from '../../support/rejection.js'

const limited = (client: Client, limit: SpendingLimit) =>
  limitedClient(client, { limit, profile: 'desk', model: async () => model })

/** A client of a service whose payments are all of 80.00; it records the writes. */
function service(): Client & { readonly sent: ClientRequest[] } {
  const sent: ClientRequest[] = []
  return {
    sent,
    send: async (request) => {
      if (request.method !== 'GET') sent.push(request)
      return { status: 200, body: { amount: 80 }, headers: {} }
    },
    close: async () => undefined,
  }
}

const pay = (amount: number): ClientRequest => ({
  method: 'POST',
  path: '/transactions',
  body: { type: 'payment', amount },
})
const change = (status: string): ClientRequest => ({
  method: 'PUT',
  path: '/transactions/txn_1',
  body: { status },
})
const run: ClientRequest = { method: 'POST', path: '/admin/funding/run', body: {} }

describe('the spending limit of a profile', () => {
  it('allows amounts up to its maximum, exact to the cent', async () => {
    const client = service()
    const limit = limited(client, { max_amount: 5_000 })
    await limit.send(pay(50))
    const error = await rejection(limit.send(pay(50.01)))
    expect(error).to.be.instanceOf(Refusal)
    expect(error.message).to.equal('The profile desk allows at most 50.00, and this is 50.01')
    expect(client.sent).to.deep.equal([pay(50)])
  })

  it('looks up the amount of a capture, and refuses an amount that it cannot know', async () => {
    const client = service()
    const limit = limited(client, { max_amount: 5_000 })
    expect((await rejection(limit.send(change('processed')))).message).to.include('this is 80.00')
    expect((await rejection(limit.send(run))).message).to.include('allow funding by its name')
    expect(client.sent).to.deep.equal([])
    await limited(client, { max_amount: 5_000, verbs: ['funding'] }).send(run)
    expect(client.sent).to.deep.equal([run])
  })

  it('allows only the named verbs, and all requests without money', async () => {
    const client = service()
    const limit = limited(client, { verbs: ['void'] })
    const error = await rejection(limit.send(pay(1)))
    expect(error.message).to.equal('The profile desk does not allow pay; it allows void')
    const customer: ClientRequest = { method: 'POST', path: '/customers', body: { name: 'Ada' } }
    await limit.send(change('voided'))
    await limit.send(customer)
    expect(client.sent).to.deep.equal([change('voided'), customer])
  })

  it('looks up the amount of an exception that is resolved by a refund', async () => {
    const client = service()
    const path = '/admin/exceptions/exc_1/resolve'
    const request: ClientRequest = { method: 'POST', path, body: { resolution: 'refund', reason: 'twice' } }
    const error = await rejection(limited(client, { max_amount: 5_000 }).send(request))
    expect(error.message).to.include('this is 80.00')
    expect(client.sent).to.deep.equal([])
  })

  it('checks a list that is written as an object with numbers as names', async () => {
    const client = service()
    const limit = limited(client, { max_amount: 5_000 })
    const items = { '0': { type: 'payment', amount: 51 } }
    for (const body of [items, { object: 'list', values: items }])
      await rejection(limit.send({ method: 'POST', path: '/transactions', body }))
    const body = { as: 'payment', rows: { '0': { row: 2, body: { amount: 51 } } } }
    await rejection(limit.send({ method: 'POST', path: '/admin/batches/rows', body }))
    expect(client.sent).to.deep.equal([])
  })

  it('checks all items of a list before the first is sent', async () => {
    const client = service()
    const limit = limited(client, { max_amount: 5_000 })
    const body = [
      { type: 'payment', amount: 1 },
      { type: 'payment', amount: 51 },
    ]
    await rejection(limit.send({ method: 'POST', path: '/transactions', body }))
    expect(client.sent).to.deep.equal([])
  })
})
