import type { SIMULATED_TRIGGERS } from '../../../resources/trigger.js'
import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { Ask } from '../../terminal/client/scenario.js'
import { merchant, testCard } from './merchant.js'

/** Recipe that fires a trigger by a real operation. */
export interface Recipe {
  /** Kind of object that `--on` names. */
  readonly on: string
  /** Whether the recipe moves the clock of the test environment. */
  readonly movesClock?: true
  /** Fires the trigger for the object `on`, or for a new object; returns the id of the event's object. */
  happen(ask: Ask, on: string | undefined): Promise<string>
}

const AMOUNT = 12.34
/** A card that the test environment declines, for insufficient balance. */
const DECLINED = '4111111111119904'
/** Duration after which a payment is captured and deposited. */
const UNTIL_DEPOSIT = '3d'

/** Recipes by trigger. Spec: Money, "Webhooks". */
export const RECIPES: Readonly<Record<(typeof SIMULATED_TRIGGERS)[number], Recipe>> = {
  payment: { on: 'processing account', happen: async (ask, on) => await pay(ask, on) },
  processed: {
    on: 'authorized payment',
    happen: async (ask, on) => (on === undefined ? await pay(ask) : await become(ask, on, 'processed')),
  },
  authorized: {
    on: 'processing account',
    happen: async (ask, on) => await pay(ask, on, { status: 'authorized' }),
  },
  decline: { on: 'processing account', happen: declined },
  void: { on: 'payment', happen: async (ask, on) => await become(ask, on ?? (await pay(ask)), 'voided') },
  refund: { on: 'payment', happen: async (ask, on) => await refund(ask, on ?? (await pay(ask))) },
  credit: {
    on: 'processing account',
    happen: async (ask, on) => await pay(ask, on, { type: 'credit' }),
  },
  reject: {
    on: 'payment',
    async happen(ask, on) {
      const id = on ?? (await pay(ask))
      await ask('POST', '/admin/simulate', { event: 'chargeback', transaction_id: id })
      return id
    },
  },
  deposit: {
    on: 'processing account',
    movesClock: true,
    async happen(ask, on) {
      const id = await pay(ask, on)
      return await depositOf(ask, id)
    },
  },
  reversal: {
    on: 'payment that was deposited',
    movesClock: true,
    async happen(ask, on) {
      const id = on ?? (await pay(ask))
      if (on === undefined) await depositOf(ask, id)
      await refund(ask, id)
      return await otherOf(ask, id, 'reversal')
    },
  },
  automatic_payment: {
    on: 'customer with a default payment method',
    async happen(ask, on) {
      const processing = await merchant(ask)
      const customer = on ?? (await payer(ask, processing))
      await ask('POST', '/billing_schedules', {
        customer_id: customer,
        processing_id: processing,
        recurring_frequency: 'annually',
        charges: [{ amount: AMOUNT, description: 'Membership' }],
      })
      await ask('POST', '/admin/billing/run', {})
      return await newestOf(ask, `/transactions?customer_id=${customer}`)
    },
  },
  processing_status: {
    on: 'processing account',
    async happen(ask, on) {
      const id = on ?? (await merchant(ask, 'new'))
      const { status } = await ask('GET', `/processing_accounts/${id}`)
      const next = status === 'active' ? 'in_review' : 'active'
      await ask('PUT', `/processing_accounts/${id}`, { processing: { status: next } })
      return id
    },
  },
  'payment_activation:status': {
    on: 'customer',
    async happen(ask, on) {
      const processing_id = await merchant(ask)
      const customer_id = on ?? idOf(await ask('POST', '/customers', newCustomer(processing_id)))
      return idOf(await ask('POST', '/payment_activations', { customer_id, processing_id }))
    },
  },
  'payment_link:status': {
    on: 'processing account',
    async happen(ask, on) {
      const processing_id = on ?? (await merchant(ask))
      return idOf(
        await ask('POST', '/payment_links', { amount: AMOUNT, description: 'A book', processing_id }),
      )
    },
  },
}

async function pay(ask: Ask, on?: string, more: JsonObject = {}): Promise<string> {
  const processing_id = on ?? (await merchant(ask))
  const body = { type: 'payment', amount: AMOUNT, processing_id, payment_method: testCard(), ...more }
  return idOf(await ask('POST', '/transactions', body))
}

/** Makes a declined payment. */
async function declined(ask: Ask, on: string | undefined): Promise<string> {
  const processing_id = on ?? (await merchant(ask))
  const body = { type: 'payment', amount: AMOUNT, processing_id, payment_method: testCard(DECLINED) }
  return idOf(await ask('POST', '/transactions', body, { may: 'TransactionDeclined' }))
}

async function become(ask: Ask, id: string, status: string): Promise<string> {
  return idOf(await ask('PUT', `/transactions/${id}`, { status }))
}

async function refund(ask: Ask, id: string): Promise<string> {
  const { amount = AMOUNT } = await ask('GET', `/transactions/${id}`)
  const ledger = [{ assoc_transaction_id: id }]
  return idOf(await ask('POST', '/transactions', { type: 'refund', amount, ledger }))
}

/** Moves the clock until a payment is deposited; returns the deposit's id. */
async function depositOf(ask: Ask, id: string): Promise<string> {
  await ask('POST', '/admin/clock', { by: UNTIL_DEPOSIT })
  return await otherOf(ask, id, 'deposit')
}

/** Id of the transaction of a type in the ledger of a payment. */
async function otherOf(ask: Ask, id: string, type: string): Promise<string> {
  const payment = await ask('GET', `/transactions/${id}?fields=*,ledger`)
  const entry = objectsIn(payment, 'ledger').find(({ entry_type }) => entry_type === type)
  return entry ? String(entry.assoc_transaction_id) : id
}

async function payer(ask: Ask, processing: string): Promise<string> {
  const id = idOf(await ask('POST', '/customers', newCustomer(processing)))
  await ask('POST', '/payment_methods', { ...testCard(), account_id: id, default_payment_method: true })
  return id
}

function newCustomer(processing: string): JsonObject {
  return { name: 'Ada Park', email: 'ada@example.com', primary_processing_id: processing }
}

async function newestOf(ask: Ask, list: string): Promise<string> {
  const [first] = objectsIn(await ask('GET', `${list}&limit=1`))
  return idOf(first ?? {})
}

function idOf({ id }: JsonObject): string {
  return typeof id === 'string' ? id : ''
}
