import { type Form, metadataIn, type StripeBooks } from './stripe-books.js'
import { type NextAction, type PaymentIntent, type SetupIntent, TEST_NUMBERS } from './stripe-objects.js'
import { invalid, StripeProblem } from './stripe-problem.js'

/** Makes an intent require authentication: with Stripe's script in the page, or at an address of the bank. */
export function challenge(
  intent: { readonly id: string; status: string; next_action: NextAction | null },
  form: Form,
  address: string,
): void {
  const returnUrl = form.get('return_url')
  intent.status = 'requires_action'
  intent.next_action =
    form.get('use_stripe_sdk') === 'true' || returnUrl === undefined
      ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
      : {
          type: 'redirect_to_url',
          redirect_to_url: { url: `${address}/challenge/${intent.id}`, return_url: returnUrl },
        }
}

/** SetupIntents of the test server, which store methods without a payment. */
export class StripeSetups {
  readonly made: SetupIntent[] = []

  constructor(private readonly books: StripeBooks) {}

  create(form: Form): SetupIntent {
    const { books } = this
    const method = books.method(form.get('payment_method') ?? '')
    if (form.get('confirm') !== 'true' || form.get('usage') !== 'off_session')
      throw invalid('parameter_missing', 'This server confirms at once, for later payments.')
    const id = books.nextId('seti')
    const setup: SetupIntent = {
      id,
      object: 'setup_intent',
      created: Math.floor(books.now() / 1000),
      client_secret: `${id}_secret_of_it`,
      status: 'requires_confirmation',
      cancellation_reason: null,
      customer: form.get('customer') ?? null,
      payment_method: method.id,
      metadata: metadataIn(form),
      next_action: null,
      last_setup_error: null,
    }
    this.made.push(setup)
    const { action, ...decline } = TEST_NUMBERS[method.number] ?? {}
    if (action) challenge(setup, form, books.address)
    else if (decline.code) {
      setup.status = 'requires_payment_method'
      setup.last_setup_error = { type: 'card_error', message: 'Your card was declined.', ...decline }
      throw new StripeProblem(402, setup.last_setup_error)
    } else this.finish(setup)
    return setup
  }

  /** Returns the setup or payment that a payer may have to authenticate. */
  awaited(id: string): PaymentIntent | SetupIntent {
    return this.made.find((each) => each.id === id) ?? this.books.intent(id)
  }

  /** Lets the payer authenticate (`passes`) or refuse. */
  authenticate(id: string, passes: boolean): void {
    const setup = this.made.find((each) => each.id === id)
    if (!setup) {
      this.books.authenticate(id, passes)
      return
    }
    setup.next_action = null
    if (passes) {
      this.finish(setup)
      return
    }
    setup.status = 'requires_payment_method'
    setup.last_setup_error = {
      type: 'invalid_request_error',
      code: 'setup_intent_authentication_failure',
      message: 'The latest attempt to set up the payment method has failed.',
    }
  }

  private finish(setup: SetupIntent): void {
    setup.status = 'succeeded'
    this.books.method(setup.payment_method).customer = setup.customer
  }
}
