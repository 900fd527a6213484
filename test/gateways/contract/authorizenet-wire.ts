import { parsedJson } from '../../../src/schema/json.js'
import { parseMoney } from '../../../src/schema/money.js'
import { isTree } from '../../../src/schema/types.js'
import { card } from '../../support/examples.js'
import {
  AuthorizeNetServer,
  LOGIN,
  SIGNATURE_KEY,
  TRANSACTION_KEY,
} from '../authorizenet/authorizenet-server.js'
import { FaultyNetwork, type RailRequest } from './faulty-network.js'
import type { Sent, Time, WireServer } from './opened-rail.js'
import { postTo } from './post-to.js'
import { entryOf } from './stripe-wire.js'

const TYPES: Readonly<Record<string, Sent['type']>> = {
  authCaptureTransaction: 'sale',
  authOnlyTransaction: 'authorize',
  priorAuthCaptureTransaction: 'capture',
  voidTransaction: 'void',
  refundTransaction: 'refund',
}

/** Card numbers, Authorize.Net's reason code of their decline, and our status code. */
const DECLINES = [
  ['4111111111111111', '2', 'general_decline'],
  ['5555555555554444', '8', 'card_expired'],
  ['378282246310005', '6', 'invalid_card_number'],
  ['6011111111111117', '44', 'invalid_card_code'],
  ['4012888888881881', '27', 'invalid_zip'],
  ['5105105105105100', '251', 'suspicious_activity'],
  ['371449635398431', '49', 'exceeded_limit'],
  ['6011000990139424', '28', 'method_not_accepted'],
  ['3530111333300000', '19', 'processing_error'],
] as const
const PARTIAL = '2223003122003222'
const TYPED = { cardNumber: '4242424242424242', expirationDate: '2039-12', cardCode: '123' }
const HELD = '5200828282828210'

/** Opens the test server of Authorize.Net's wire format, behind a network with faults. */
export async function openAuthorizeNetWire(time: Time): Promise<WireServer> {
  const server = new AuthorizeNetServer(() => time.now)
  const { books } = server
  const network = await FaultyNetwork.open({
    upstream: await server.start(),
    moves: ({ body }) => body.startsWith('{"createTransactionRequest"'),
    stores: ({ body }) => body.startsWith('{"createCustomerProfileRequest"'),
  })
  for (const [number, reason] of DECLINES) books.reasons.set(number.slice(-4), reason)
  books.reasons.set(PARTIAL.slice(-4), '295')
  books.reasons.set(HELD.slice(-4), '252')
  const booked = (id: string) => {
    const found = books.transactions.get(id)
    if (!found) throw new Error(`${id} is not at the gateway`)
    return found
  }
  return {
    entry: entryOf('authorizenet'),
    network,
    configuration: {
      kind: 'authorizenet',
      base_url: network.address,
      credentials: { login_id: LOGIN, transaction_key: TRANSACTION_KEY, signature_key: SIGNATURE_KEY },
    },
    sent,
    taken: async () => books.taken,
    namesAmounts: false,
    declines: DECLINES.map(([number, , statusCode]) => ({ statusCode, method: card(number) })),
    partial: card(PARTIAL),
    pending: async () => card(HELD),
    async decide(id, isGood) {
      const held = booked(id)
      held.status = isGood ? 'capturedPendingSettlement' : 'failedReview'
      if (!isGood) held.settle = 0
    },
    async expire(id) {
      booked(id).status = 'expired'
    },
    settle: async () => void books.settle(),
    operations: async () => [...books.transactions.keys()],
    foreign: async (amount) => books.keep({ amount, settle: amount }).id,
    refundByHand: async (parent, amount) =>
      books.keep({
        type: 'refundTransaction',
        status: 'refundPendingSettlement',
        amount,
        settle: amount,
        parent,
      }).id,
    notice: (id) => server.notification('net.authorize.payment.authcapture.created', id),
    async notify(id) {
      for (const { url } of server.webhooks.list)
        await postTo(String(url), server.notification('net.authorize.payment.authcapture.created', id))
    },
    async takeBack(id) {
      const { returned, settle: amount } = booked(id)
      returned.push({ id: `R${id}`, dateUTC: '2026-03-04T00:00:00Z', code: 'R10' })
      return { amount, posted: server.notification('net.authorize.payment.void.created', id) }
    },
    fieldCredentials: {},
    async token() {
      const { dataDescriptor, dataValue } = server.nonces.make(TYPED)
      return `${dataDescriptor}/${dataValue}`
    },
    async close() {
      await network.close()
      await server.stop()
    },
  }
}

/** Returns the type, amount and reference of a request. Captures and voids do not contain our reference. */
function sent({ body }: RailRequest): Sent {
  const parsed = parsedJson(body)
  const fields =
    isTree(parsed) && isTree(parsed.createTransactionRequest) ? parsed.createTransactionRequest : {}
  const request = isTree(fields.transactionRequest) ? fields.transactionRequest : {}
  const type = TYPES[String(request.transactionType)]
  if (!type) throw new Error(`It is no transaction: ${body}`)
  return {
    type,
    amount: typeof request.amount === 'string' ? parseMoney(request.amount) : undefined,
    reference: / ?ref:(\S+?)"/.exec(body)?.[1],
  }
}
