import { expect } from 'chai'
import type { Client, ClientRequest } from '../../../src/cli/terminal/client/client.js'
import { confirmLive } from '../../../src/cli/terminal/command/confirm-live.js'
import { model } from '../../../src/cli/terminal/declarations/declared-model.js'
import { Refusal, UsageError } from '../../../src/cli/terminal/failure/failure.js'
import type { SpendingLimit } from '../../../src/cli/terminal/profiles/profile.js'
import { limitedClient } from '../../../src/cli/terminal/profiles/spending-limit.js'
import { MONEY_VERBS } from '../../../src/schema/moves.js'
import { declaredRequests } from '../../support/declared-requests.js'
import { rejection } from '../../support/rejection.js'

const all = declaredRequests('acct_1')
const moving = all.filter(({ verbs }) => verbs.length > 0)
const harmless = all.filter(({ verbs }) => verbs.length === 0)

const limited = (client: Client, limit: SpendingLimit) =>
  limitedClient(client, { limit, profile: 'desk', model: async () => model })

/** A client of a service in which every object exists; it records the writes. */
function service(): Client & { readonly sent: ClientRequest[] } {
  const sent: ClientRequest[] = []
  return {
    sent,
    send: async (request) => {
      if (request.method !== 'GET') sent.push(request)
      const body = { id: 'any_1', account_id: 'acct_1', amount: 80, values: [{ id: 'any_1', amount: 80 }] }
      return { status: 200, body, headers: {} }
    },
    close: async () => undefined,
  }
}

describe('the declarations of money requests', () => {
  it('refuse every verb that a profile does not allow, and send no request', async () => {
    for (const { name, request, verbs } of moving) {
      const client = service()
      for (const missing of verbs) {
        const allowed = MONEY_VERBS.filter((verb) => verb !== missing)
        const error = await rejection(limited(client, { verbs: allowed }).send(request))
        expect(error, name).to.be.instanceOf(Refusal)
        expect(error.message, name).to.include(`does not allow ${missing}`)
      }
      expect(client.sent, name).to.deep.equal([])
      await limited(client, { verbs }).send(request)
      expect(client.sent, name).to.deep.equal([request])
    }
  })

  it('refuse an amount above the limit, and an unknown amount', async () => {
    for (const { name, request, verbs } of moving) {
      if (verbs.includes('change')) continue
      const client = service()
      const error = await rejection(limited(client, { max_amount: 7_999 }).send(request))
      expect(error, name).to.be.instanceOf(Refusal)
      expect(error.message, name).to.match(/and this is 80\.00|and the amount is unknown/)
      expect(client.sent, name).to.deep.equal([])
    }
  })

  it('let all requests without money pass a profile that allows no verb', async () => {
    for (const { name, request } of harmless) {
      const client = service()
      await limited(client, { verbs: [], max_amount: 0 }).send(request)
      expect(client.sent.length, name).to.equal(request.method === 'GET' ? 0 : 1)
    }
  })

  it('ask for confirmation in live before each money request, unless it is refused in live', async () => {
    const choices = { env: 'live', output: 'table', json: false, 'no-input': true, yes: true } as const
    const read = async () => undefined
    for (const { name, request, isTestOnly } of moving) {
      const answer = confirmLive(request, choices, { prompts: undefined, read })
      if (isTestOnly) expect(await answer, name).to.equal(false)
      else expect(await rejection(answer), name).to.be.instanceOf(UsageError)
    }
  })

  it('need no confirmation in live if the name of the command says that it redirects or disputes', async () => {
    const choices = { env: 'live', output: 'table', json: false, 'no-input': true } as const
    const read = async () => undefined
    for (const { name, request, verbs, isTestOnly } of moving) {
      if (isTestOnly) continue
      const answer = confirmLive(request, choices, { prompts: undefined, read, isNamed: true })
      if (request.method !== 'DELETE' && verbs.every((verb) => verb === 'redirect' || verb === 'dispute'))
        expect(await answer, name).to.equal(true)
      else expect(await rejection(answer), name).to.be.instanceOf(UsageError)
    }
  })

  it('cover exactly the requests of this list', () => {
    const names = new Set(moving.map(({ name, verbs }) => `${name}: ${verbs.join(', ')}`))
    expect([...names].filter((name) => !/^changing listed| without /.test(name))).to.deep.equal([
      'changing a account processing.payouts=other: redirect',
      'changing a account processing.payouts=null: redirect',
      'changing a customer processing.payouts=other: redirect',
      'changing a customer processing.payouts=null: redirect',
      'changing a processing_account processing.payouts=other: redirect',
      'changing a processing_account processing.payouts=null: redirect',
      'deleting a processing_account: redirect',
      'set_default of a processing_account: redirect',
      'creating a payment_method of an owner: redirect',
      'changing a payment_method of an owner: redirect',
      'deleting a payment_method of an owner: redirect',
      'creating a transaction type=payment status=authorized: authorize',
      'creating a transaction type=payment status=other: pay',
      'creating a transaction type=payment status=null: pay',
      'creating a transaction type=refund with ledger.assoc_transaction_id: refund',
      'creating a transaction type=other: credit',
      'creating a transaction type=null: pay',
      'changing a transaction status=processed: capture',
      'changing a transaction status=voided: void',
      'changing a transaction status=other: change',
      'changing a transaction status=null: change',
      'deleting a transaction: change',
      'capture of a transaction: capture',
      'review of a transaction: review',
      'collect of a invoice: pay',
      'accept of a dispute: dispute',
      'contest of a dispute: dispute',
      'changing a gateway: redirect',
      'deleting a gateway: redirect',
      'resolve of a exception resolution=refund: refund',
      'resolve of a exception resolution=link: dispute',
      'resolve of a exception resolution=retry: refund',
      'resolve of a exception resolution=paid_otherwise: refund',
      'resolve of a exception resolution=partial: capture',
      'the operation set_clock: billing, funding',
      'the operation advance_clock: billing, funding',
      'the operation run_funding: funding',
      'the operation run_billing: billing',
      'the operation backfill_billing: billing',
      'the operation set_gateway_routes: redirect',
      'the operation add_dispute: dispute',
      'the operation simulate: dispute',
      'a row of a batch of payment status=authorized: authorize',
      'a row of a batch of payment status=other: pay',
      'a row of a batch of payment status=null: pay',
      'a row of a batch of refund: refund',
      'a row of a batch of credit: credit',
      'a row of a batch of void: void',
      'a row of a batch of payment_method of an owner: redirect',
      'a row of a batch of transaction type=payment status=authorized: authorize',
      'a row of a batch of transaction type=payment status=other: pay',
      'a row of a batch of transaction type=payment status=null: pay',
      'a row of a batch of transaction type=refund with ledger.assoc_transaction_id: refund',
      'a row of a batch of transaction type=other: credit',
      'a row of a batch of transaction type=null: pay',
      'a row of a batch of update_account processing.payouts=other: redirect',
      'a row of a batch of update_account processing.payouts=null: redirect',
      'a row of a batch of update_customer processing.payouts=other: redirect',
      'a row of a batch of update_customer processing.payouts=null: redirect',
      'a row of a batch of update_processing_account processing.payouts=other: redirect',
      'a row of a batch of update_processing_account processing.payouts=null: redirect',
      'a row of a batch of update_payment_method of an owner: redirect',
      'a row of a batch of update_transaction status=processed: capture',
      'a row of a batch of update_transaction status=voided: void',
      'a row of a batch of update_transaction status=other: change',
      'a row of a batch of update_transaction status=null: change',
    ])
  })
})
