import { checkOf, shownCard } from './stripe-cards.js'
import {
  type Dispute,
  newDispute,
  newRelease,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type StripeFault,
  TEST_ACCOUNTS,
  TEST_NUMBERS,
} from './stripe-objects.js'
import { found, invalid, StripeProblem, unexpected } from './stripe-problem.js'
import { challenge } from './stripe-setups.js'

/** Fields of a request to Stripe, such as `card[number]` and `expand[0]`. */
export type Form = ReadonlyMap<string, string>

/** The books of a merchant's account at the Stripe test server. */
export class StripeBooks {
  readonly intents: PaymentIntent[] = []
  readonly refunds: Refund[] = []
  /** Amounts released by partial captures. Stripe lists them as refunds, although no refund was requested. */
  readonly releases: Refund[] = []
  readonly disputes: Dispute[] = []
  readonly files = new Map<string, { readonly name: string; readonly content: Buffer }>()
  private readonly customers = new Set<string>()
  private readonly methods = new Map<string, PaymentMethod>()
  private count = 0
  /** Address of the server. */
  address = ''

  constructor(readonly now: () => number) {}

  createCustomer() {
    const id = this.nextId('cus')
    this.customers.add(id)
    return { id, object: 'customer' }
  }

  /** Whether the account may send card numbers. */
  takesNumbers = true

  createMethod(form: Form): PaymentMethod {
    const type = form.get('type') ?? ''
    const number = form.get('card[number]') ?? form.get('us_bank_account[account_number]') ?? ''
    if (form.has('card[number]') && !this.takesNumbers)
      throw new StripeProblem(402, {
        type: 'invalid_request_error',
        message: 'Sending credit card numbers directly to the Stripe API is generally unsafe.',
      })
    if (number === '4242424242424241')
      throw new StripeProblem(402, {
        type: 'card_error',
        code: 'incorrect_number',
        message: 'Your card number is incorrect.',
      })
    const made: PaymentMethod = {
      id: this.nextId('pm'),
      object: 'payment_method',
      type,
      customer: null,
      ...(type === 'card' && { card: shownCard(number, form) }),
      number,
      isUsedUp: false,
      cvc: form.get('card[cvc]'),
      street: form.get('billing_details[address][line1]'),
      zip: form.get('billing_details[address][postal_code]'),
    }
    this.methods.set(made.id, made)
    return made
  }

  attach(id: string, form: Form): PaymentMethod {
    const method = this.method(id)
    method.customer = form.get('customer') ?? null
    return method
  }

  /**
   * Returns a payment method. Like every account in test mode, the server has `pm_card_visa` of Stripe's documentation.
   */
  method(id: string): PaymentMethod {
    if (id === 'pm_card_visa' && !this.methods.has(id)) {
      const visa = new Map(Object.entries({ type: 'card', 'card[number]': '4242424242424242' }))
      this.methods.set(id, { ...this.createMethod(visa), id })
    }
    return found(this.methods.get(id), 'payment_method', id)
  }

  intent(id: string): PaymentIntent {
    return found(
      this.intents.find((each) => each.id === id),
      'payment_intent',
      id,
    )
  }

  createIntent(form: Form): PaymentIntent {
    const method = this.method(form.get('payment_method') ?? '')
    const customer = form.get('customer') ?? null
    if (form.has('payment_method_types'))
      throw invalid('payment_method_types_no_longer_supported', 'Use allowed_payment_method_types.')
    if (form.get('allowed_payment_method_types[0]') !== method.type)
      throw invalid('payment_intent_incompatible_payment_method', 'Not one of the allowed types.')
    if (method.isUsedUp || method.customer !== customer)
      if (method.customer !== null || method.isUsedUp)
        throw invalid('payment_method_unexpected_state', 'It may not be used again.')
    const amount = Number(form.get('amount'))
    if (!(amount >= 50)) throw invalid('amount_too_small', 'Amount must be at least $0.50 usd')
    const id = this.nextId('pi')
    const intent: PaymentIntent = {
      id,
      client_secret: `${id}_secret_${this.count}`,
      next_action: null,
      object: 'payment_intent',
      created: Math.floor(this.now() / 1000),
      amount,
      amount_received: 0,
      amount_capturable: 0,
      status: 'requires_confirmation',
      cancellation_reason: null,
      payment_method: method.id,
      customer,
      latest_charge: null,
      last_payment_error: null,
      currency: form.get('currency') ?? 'usd',
      capture_method: form.get('capture_method') ?? 'automatic_async',
      setup_future_usage: form.get('setup_future_usage') ?? null,
      metadata: metadataIn(form),
    }
    this.intents.push(intent)
    this.confirm(intent, method, form)
    if (intent.setup_future_usage !== null) method.customer = customer
    if (method.customer === null) method.isUsedUp = true
    return intent
  }

  capture(id: string, form: Form): PaymentIntent {
    const intent = this.intent(id)
    if (intent.status !== 'requires_capture') throw unexpected(intent)
    const amount = Number(form.get('amount_to_capture') ?? intent.amount_capturable)
    if (amount > intent.amount_capturable)
      throw new StripeProblem(400, {
        type: 'invalid_request_error',
        code: 'amount_too_large',
        message: 'The amount to capture is greater than the amount that is capturable.',
      })
    intent.amount_received = amount
    if (amount < intent.amount_capturable) this.release(intent, intent.amount_capturable - amount)
    intent.amount_capturable = 0
    intent.status = 'succeeded'
    return intent
  }

  cancel(id: string): PaymentIntent {
    const intent = this.intent(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent)
    intent.status = 'canceled'
    intent.next_action = null
    intent.amount_capturable = 0
    return intent
  }

  /** Ends a pending payment by bank account: it succeeds, or fails with `code`. */
  settle(id: string, code?: string): PaymentIntent {
    const intent = this.intent(id)
    if (code) this.fail(intent, { type: 'card_error', code, message: 'The bank declines.' })
    else this.succeed(intent)
    return intent
  }

  createRefund(form: Form): Refund {
    const intent = this.intent(form.get('payment_intent') ?? '')
    if (intent.status !== 'succeeded') throw unexpected(intent)
    const amount = Number(form.get('amount') ?? intent.amount_received)
    const left = intent.amount_received - this.refunded(intent.id)
    if (left === 0) throw invalid('charge_already_refunded', 'Charge has already been refunded.')
    // This error has a parameter and no code, as Stripe's real one.
    if (amount > left)
      throw new StripeProblem(400, {
        type: 'invalid_request_error',
        param: 'amount',
        message: 'Refund amount is greater than unrefunded amount on charge',
      })
    const refund: Refund = {
      id: this.nextId('re'),
      object: 'refund',
      currency: intent.currency,
      created: Math.floor(this.now() / 1000),
      amount,
      payment_intent: intent.id,
      metadata: metadataIn(form),
      status: 'succeeded',
    }
    this.refunds.push(refund)
    return refund
  }

  private release(intent: PaymentIntent, amount: number): void {
    const [id, transaction] = [this.nextId('re'), this.nextId('txn')]
    this.releases.push(
      newRelease(intent, { id, transaction, amount, created: Math.floor(this.now() / 1000) }),
    )
  }

  refund(id: string): Refund {
    return found(
      [...this.refunds, ...this.releases].find((each) => each.id === id),
      'refund',
      id,
    )
  }

  dispute(id: string, more: Partial<Dispute> = {}): Dispute {
    const intent = this.intent(id)
    const dispute: Dispute = {
      id: this.nextId('du'),
      object: 'dispute',
      currency: intent.currency,
      amount: intent.amount_received,
      payment_intent: intent,
      ...newDispute(intent, Math.floor(this.now() / 1000)),
      ...more,
    }
    this.disputes.push(dispute)
    return dispute
  }

  /** Balance of the merchant, in cents. */
  get balance(): number {
    return this.intents.reduce((sum, { id, amount_received: taken }) => sum + taken - this.refunded(id), 0)
  }

  nextId(prefix: string): string {
    this.count += 1
    return `${prefix}_${String(this.count).padStart(6, '0')}`
  }

  private refunded(id: string): number {
    const made = this.refunds.filter(({ payment_intent: of, status }) => of === id && status !== 'failed')
    return made.reduce((sum, { amount }) => sum + amount, 0)
  }

  private confirm(intent: PaymentIntent, method: PaymentMethod, form: Form): void {
    if (method.type === 'us_bank_account') {
      this.debit(intent, method, form)
      return
    }
    const { action, ...decline } = TEST_NUMBERS[method.number] ?? {}
    if (action === 'always' || (action && method.customer === null)) {
      if (form.get('off_session') !== 'true') challenge(intent, form, this.address)
      else this.decline(intent, { code: 'authentication_required', decline_code: 'authentication_required' })
      return
    }
    if (decline.code) this.decline(intent, decline)
    this.charge(intent, method)
  }

  /** Lets the payer authenticate (`passes`) or refuse. */
  authenticate(id: string, passes: boolean): PaymentIntent {
    const intent = this.intent(id)
    if (intent.status !== 'requires_action') throw unexpected(intent)
    intent.next_action = null
    if (passes) this.charge(intent, this.method(intent.payment_method ?? ''))
    else
      this.fail(intent, {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message: 'The provided payment method has failed authentication.',
      })
    return intent
  }

  private charge(intent: PaymentIntent, method: PaymentMethod): void {
    intent.latest_charge = {
      id: this.nextId('ch'),
      object: 'charge',
      payment_intent: intent.id,
      metadata: intent.metadata,
      outcome: { network_status: 'approved_by_network', type: 'authorized' },
      payment_method_details: {
        card: {
          ...(method.card ?? shownCard(method.number, new Map())),
          authorization_code: '123456',
          network_transaction_id: 'MCC123456789',
          ...(intent.capture_method === 'manual' && {
            capture_before: Math.floor(this.now() / 1000) + 5 * 86_400,
          }),
          checks: {
            address_line1_check: method.street === undefined ? null : checkOf(method.street),
            address_postal_code_check: method.zip === undefined ? null : checkOf(method.zip),
            cvc_check: method.cvc === undefined ? null : checkOf(method.cvc),
          },
        },
      },
    }
    if (intent.capture_method === 'manual') {
      intent.status = 'requires_capture'
      intent.amount_capturable = intent.amount
    } else this.succeed(intent)
  }

  private debit(intent: PaymentIntent, method: PaymentMethod, form: Form): void {
    const acceptance = form.get('mandate_data[customer_acceptance][type]')
    const collected = form.get('payment_method_options[us_bank_account][mandate_options][collection_method]')
    if (acceptance === 'offline' && collected !== 'paper')
      throw invalid('parameter_missing', 'An offline mandate needs its collection_method.')
    if (acceptance === undefined && method.customer === null)
      throw invalid('payment_intent_mandate_invalid', 'A mandate is required.')
    intent.status = 'processing'
    const code = TEST_ACCOUNTS[method.number]
    if (code) this.fail(intent, { type: 'card_error', code, message: 'The bank declines.' })
  }

  private succeed(intent: PaymentIntent): void {
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
  }

  private fail(intent: PaymentIntent, fault: StripeFault): void {
    intent.status = 'requires_payment_method'
    intent.last_payment_error = fault
  }

  private decline(intent: PaymentIntent, decline: Partial<StripeFault>): never {
    const fault = { type: 'card_error', message: 'Your card was declined.', ...decline }
    this.fail(intent, fault)
    throw new StripeProblem(402, fault, intent)
  }
}

export function metadataIn(form: Form): Record<string, string> {
  const pairs = [...form].flatMap(([name, value]): [string, string][] => {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(pairs)
}
