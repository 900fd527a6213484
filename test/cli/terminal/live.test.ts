import { expect } from 'chai'
import type { ClientRequest } from '../../../src/cli/terminal/client/client.js'
import { Interrupted, UsageError } from '../../../src/cli/terminal/failure/failure.js'
import type { Choices } from '../../../src/cli/terminal/global-flags.js'
import { confirmLive } from '../../../src/cli/terminal/live.js'
import { rejection } from '../../support/rejection.js'

const live: Choices = { env: 'live', output: 'table', json: false, 'no-input': false }
const payment: ClientRequest = {
  method: 'POST',
  path: '/transactions',
  body: {
    type: 'payment',
    amount: 12.5,
    customer_id: 'acct_1',
    payment_method: { card: { card_number: '4242424242424242' } },
  },
}

const answering = (answer: boolean, asked: string[] = []) => ({
  value: async () => null,
  confirm: async (message: string) => {
    asked.push(message)
    return answer
  },
})

describe('money in live', () => {
  it('moves when somebody at the terminal says so, who sees amount, payer and last digits', async () => {
    const asked: string[] = []
    await confirmLive(payment, live, answering(true, asked))
    expect(asked).to.deep.equal([
      'LIVE: payment 12.5 of acct_1 with xxxxxxxxxxxx4242 at /transactions. Go on?',
    ])
  })

  it('does not move when somebody says no', async () => {
    expect(await rejection(confirmLive(payment, live, answering(false)))).to.be.instanceOf(Interrupted)
  })

  it('needs --confirm live without a terminal; --yes is not enough', async () => {
    expect(await rejection(confirmLive(payment, { ...live, yes: true }, undefined))).to.be.instanceOf(
      UsageError,
    )
    await confirmLive(payment, { ...live, confirm: 'live' }, undefined)
  })

  const free: readonly (readonly [string, ClientRequest, Choices])[] = [
    ['the test environment', payment, { ...live, env: 'test' }],
    ['a dry run', { ...payment, dryRun: true }, live],
    ['reading', { method: 'GET', path: '/transactions' }, live],
    ['what moves no money', { method: 'POST', path: '/customers' }, live],
  ]
  for (const [what, request, choices] of free) {
    it(`asks nothing for ${what}`, async () => {
      const asked: string[] = []
      await confirmLive(request, choices, answering(false, asked))
      expect(asked).to.deep.equal([])
    })
  }

  it('asks for a raw path, however it is written', async () => {
    for (const path of [
      'transactions',
      '/transactions/',
      '/transactions/txn_1',
      '//transactions',
      '/Transactions/../transactions',
    ])
      expect(await rejection(confirmLive({ method: 'PUT', path }, live, undefined)), path).to.be.instanceOf(
        UsageError,
      )
  })
})
