import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Stripe } from 'stripe'
import { challengeAnswer } from './challenge-page.js'
import { standInFile } from './stand-in/stand-in-files.js'
import { type Answered, answerOf, attempt, BROKEN, limited, send } from './stripe-answers.js'
import { type Form, StripeBooks } from './stripe-books.js'
import {
  accountOfKey,
  eventsOf,
  eventsWithin,
  StripeEndpoints,
  type StripeEvent,
} from './stripe-endpoint-books.js'
import { answerDispute, partsOf, type Uploaded, upload } from './stripe-evidence.js'
import { isWithin, madeWithin, paged, searched } from './stripe-lists.js'
import { invalid, StripeProblem } from './stripe-problem.js'
import { StripeSetups } from './stripe-setups.js'
import { disputed, shownMethod, shownRefund } from './stripe-shown.js'

/** A fault of the next request to a path. */
export type StripeTrouble =
  /** The connection breaks before the request is executed. */
  | 'lost_before'
  /** The request is executed, and the connection breaks. */
  | 'lost_after'
  | 'error_before'
  | 'something_else'
  | 'too_many'
  | 'locked'
  /** The request is executed. The answer is the first payment of the books. */
  | 'other_payment'
  /** The request is executed. The answer is a refusal of the first payment of the books. */
  | 'other_refusal'

/** A request that the server received. */
export interface StripeRequest {
  readonly call: string
  readonly form: Form
  readonly headers: IncomingMessage['headers']
  /** The file of an upload. */
  readonly file?: Uploaded | undefined
}

/** Test server of Stripe's wire format on a free port of 127.0.0.1, with complete books. */
export interface StripeServer {
  readonly address: string
  readonly books: StripeBooks
  readonly setups: StripeSetups
  readonly requests: StripeRequest[]
  /** Sets the fault of the next request to a path such as `POST /v1/payment_intents`. */
  trouble(call: string, trouble: StripeTrouble): void
  /** Makes a signed notification of an event. */
  notification(
    type: string,
    object: object,
    more?: { readonly at?: number; readonly account?: string; readonly secret?: string },
  ): { headers: Record<string, string>; body: Buffer }
  /** Payouts and, in `transactions`, balance transactions. Tests add both. */
  readonly payouts: { readonly created: number; readonly [name: string]: unknown }[]
  readonly transactions: { readonly payout: string; readonly [name: string]: unknown }[]
  /** All events of which a notification was made. The rail can poll them. */
  readonly events: StripeEvent[]
  /** Endpoints for notifications. */
  readonly endpoints: StripeEndpoints
  /** Account in which each payment was made, by the payment's id. Only payments made over HTTP are included. */
  readonly accounts: Map<string, string | undefined>
  close(): Promise<void>
}

export const SECRET_KEY = 'sk_test_51known'
export const PUBLISHABLE_KEY = 'pk_test_51known'
export const NOTIFICATION_SECRET = 'whsec_of_the_endpoint_7Kq'

export async function openStripeServer(now: () => number): Promise<StripeServer> {
  const books = new StripeBooks(now)
  const setups = new StripeSetups(books)
  const requests: StripeRequest[] = []
  const troubles = new Map<string, StripeTrouble[]>()
  const accounts = new Map<string, string | undefined>()
  const kept = new Map<string, { readonly call: string; readonly answer: Answered }>()
  const payouts: StripeServer['payouts'] = []
  const transactions: StripeServer['transactions'] = []
  const events: StripeEvent[] = []
  const endpoints = new StripeEndpoints()

  /** Executes a request. The same idempotency key gets the same answer. */
  const work = (request: StripeRequest): Answered => {
    const key = String(request.headers['idempotency-key'] ?? '')
    const sent = `${request.call} ${JSON.stringify([...request.form])}`
    const before = kept.get(key)
    if (before && before.call !== sent)
      return answerOf(
        new StripeProblem(400, { type: 'idempotency_error', message: 'Keys stand for one request.' }),
      )
    if (before) return before.answer
    const answer = attempt(() =>
      route(request, { books, setups, payouts, transactions, accounts, endpoints, events }),
    )
    if (key !== '') kept.set(key, { call: sent, answer })
    return answer
  }

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const file = incoming.method === 'GET' ? await standInFile(pathOf(incoming)) : undefined
    if (file) return void response.writeHead(200, { 'content-type': file.type }).end(file.text)
    const request = await requestOf(incoming)
    const challenged = challengeAnswer(request, setups, accounts)
    if (challenged) return void response.writeHead(challenged.status, challenged.headers).end(challenged.text)
    requests.push(request)
    const refusal = refusalOf(request)
    if (refusal) return send(response, answerOf(refusal))
    switch (troubles.get(request.call)?.shift()) {
      case undefined:
        return send(response, work(request))
      case 'lost_before':
        return void response.destroy()
      case 'lost_after':
        work(request)
        return void response.destroy()
      case 'error_before':
        return send(response, BROKEN)
      case 'something_else':
        work(request)
        return send(response, { status: 200, text: '{"object": "list", "data": []}' })
      case 'other_payment':
        work(request)
        return send(response, { status: 200, text: JSON.stringify(books.intents[0]) })
      case 'other_refusal': {
        work(request)
        const fault = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
        return send(response, answerOf(new StripeProblem(402, fault, books.intents[0])))
      }
      case 'too_many':
        return send(response, answerOf(limited('rate_limit')))
      case 'locked':
        return send(response, answerOf(limited('lock_timeout')))
    }
  }

  const server = createServer((incoming, response) => void handle(incoming, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  books.address = `http://127.0.0.1:${port}`
  return {
    books,
    setups,
    requests,
    payouts,
    transactions,
    accounts,
    events,
    endpoints,
    address: books.address,
    trouble: (call, trouble) => void troubles.set(call, [...(troubles.get(call) ?? []), trouble]),
    notification(type, object, { at = now(), account, secret = NOTIFICATION_SECRET } = {}) {
      const event = {
        id: books.nextId('evt'),
        object: 'event',
        type,
        created: Math.floor(at / 1000),
        livemode: false,
        data: { object },
        ...(account !== undefined && { account }),
      }
      events.push(event)
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(at / 1000)
      const signed = { payload, timestamp, secret }
      const signature = Stripe.webhooks.generateTestHeaderString(signed)
      return { headers: { 'stripe-signature': signature }, body: Buffer.from(payload) }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function refusalOf({ call, headers }: StripeRequest): StripeProblem | undefined {
  const type = 'invalid_request_error'
  const isOfPage =
    call === 'POST /v1/payment_methods' && headers.authorization === `Bearer ${PUBLISHABLE_KEY}`
  if (!isOfPage && headers.authorization !== `Bearer ${SECRET_KEY}`)
    return new StripeProblem(401, { type, message: 'Invalid API Key provided' })
  return headers['stripe-account'] === 'acct_unknown'
    ? new StripeProblem(403, { type, code: 'account_invalid', message: 'No access to this account' })
    : undefined
}

interface State
  extends Pick<
    StripeServer,
    'books' | 'setups' | 'payouts' | 'transactions' | 'accounts' | 'endpoints' | 'events'
  > {}

function route(
  { call, form, headers, file }: StripeRequest,
  { books, setups, payouts, transactions, accounts, endpoints, events }: State,
): object {
  const account = headers['stripe-account']?.toString()
  /** Returns an object if it was made in the requesting account. Throws `StripeProblem` 404 otherwise. */
  const inAccount = <T extends object>(id: string, seen: T): T => {
    if (accounts.has(id) && accounts.get(id) !== account)
      throw new StripeProblem(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such object: ${id}`,
      })
    return seen
  }
  const [, method, kind = '', id = '', verb = ''] = /^(\w+) \/v1\/(\w+)\/?(\w*)\/?(\w*)$/.exec(call) ?? []
  switch (`${method} ${kind} ${id && 'id'} ${verb}`.trim().replace(/ +/g, ' ')) {
    case 'GET account':
      return accountOfKey()
    case 'GET webhook_endpoints':
      return paged(endpoints.list, form)
    case 'POST webhook_endpoints':
      return endpoints.create(form)
    case 'DELETE webhook_endpoints id':
      return endpoints.remove(id)
    case 'GET events':
      return paged(eventsWithin(eventsOf(events, account), form), form)
    case 'GET disputes':
      return paged(books.disputes, form)
    case 'POST customers':
      return books.createCustomer()
    case 'POST payment_methods': {
      const made = books.createMethod(form)
      accounts.set(made.id, account)
      return shownMethod(made)
    }
    case 'GET payment_methods id':
      return shownMethod(inAccount(id, books.method(id)))
    case 'POST payment_methods id attach':
      return books.attach(id, form)
    case 'POST payment_intents': {
      const made = books.createIntent(form)
      accounts.set(made.id, account)
      return made
    }
    case 'POST setup_intents': {
      const made = setups.create(form)
      accounts.set(made.id, account)
      return made
    }
    case 'GET setup_intents':
      return paged(madeWithin(setups.made, form), form)
    case 'GET payment_intents':
      return paged(madeWithin(books.intents, form), form)
    case 'GET payment_intents id':
      return id === 'search' ? searched(books, form) : inAccount(id, books.intent(id))
    case 'POST payment_intents id capture':
      return books.capture(id, form)
    case 'POST payment_intents id cancel':
      return books.cancel(id)
    case 'POST refunds':
      return books.createRefund(form)
    case 'GET refunds':
      return paged(
        [...books.refunds, ...books.releases]
          .filter(
            ({ payment_intent: of, created }) =>
              isWithin(created, form) && (!form.has('payment_intent') || of === form.get('payment_intent')),
          )
          .map((refund) => shownRefund(refund, form)),
        form,
      )
    case 'GET refunds id':
      return shownRefund(books.refund(id), form)
    case 'GET disputes id':
      return disputed(books, id, inAccount)
    case 'POST disputes id':
      return answerDispute(books, id, form, 'submit')
    case 'POST disputes id close':
      return answerDispute(books, id, form, 'close')
    case 'POST files': {
      if (!file) throw invalid('parameter_missing', 'There is no file.')
      return upload(books, form.get('purpose') ?? '', file)
    }
    case 'GET payouts':
      return paged(
        payouts.filter(
          // A payout without an account is in the list of every account.
          ({ created, status, account: of }) =>
            (of === undefined || of === (account ?? null)) &&
            isWithin(created, form) &&
            (!form.has('status') || status === form.get('status')),
        ),
        form,
      )
    case 'GET payouts id':
      return payouts.find((each) => each['id'] === id) ?? {}
    case 'GET balance_transactions':
      return paged(
        transactions.filter(({ payout }) => payout === form.get('payout')),
        form,
      )
    default:
      throw invalid('url_invalid', `Unrecognized request URL (${call}).`)
  }
}

function pathOf({ url }: IncomingMessage): string {
  return new URL(url ?? '/', 'http://127.0.0.1').pathname
}

async function requestOf(incoming: IncomingMessage): Promise<StripeRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(Buffer.from(part))
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const { headers, method } = incoming
  const call = `${method} ${pathname}`
  const whole = Buffer.concat(parts)
  const type = headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) return { call, headers, ...(await partsOf(whole, type)) }
  const body = new URLSearchParams(whole.toString('utf8'))
  return { call, form: new Map([...searchParams, ...body]), headers }
}
