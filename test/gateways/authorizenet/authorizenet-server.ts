import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listedTexts } from '../../../src/gateways/authorizenet/authorizenet-api.js'
import { parsedJson } from '../../../src/schema/json.js'
import { type Input, isTree } from '../../../src/schema/types.js'
import { AcceptNonces, CLIENT_KEY, cardOf } from './accept-nonces.js'
import { AuthorizeNetBooks, type Booked, type Verdict, wireAmount } from './authorizenet-books.js'
import { AuthorizeNetProfiles } from './authorizenet-profiles.js'
import { schemaProblem } from './authorizenet-schema.js'
import { AuthorizeNetWebhooks } from './authorizenet-webhooks.js'

export const LOGIN = '5KP3u95bQpv'
export const TRANSACTION_KEY = '346HZ32z3fP4hTG2'
export const SIGNATURE_KEY = 'A1B2C3D4'.repeat(16)

/** A fault of one request, in addition to the faults of any network. */
export type Fault =
  /** The connection breaks (`lost_before`), or the answer is 503 (`unavailable`). The request is not executed. */
  | 'lost_before'
  | 'unavailable'
  /** The request is executed. The answer is that of another request. */
  | 'mixed_up'
  /** The request is executed. There is no answer. */
  | 'silent'
  /**
   * The request is not executed: the server is too busy, or (`too_many`) there are too many requests, with a time to
   * wait.
   */
  | 'busy'
  | 'too_many'
  /** An error that leaves open whether the request was executed. */
  | 'system_error'

/** Files of the substitutes for AcceptUI and Accept.js, by path. */
const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/v1/Accept.js': { name: 'accept.js', type: 'text/javascript' },
  '/v3/AcceptUI.js': { name: 'accept-ui.js', type: 'text/javascript' },
  '/v3/acceptMain/acceptMain.html': { name: 'accept-main.html', type: 'text/html' },
}

/** Test server of Authorize.Net's wire format on this machine, with complete books. */
export class AuthorizeNetServer {
  readonly books: AuthorizeNetBooks
  readonly nonces: AcceptNonces
  /** Time of the server if it has no other clock, in milliseconds since 1970. Tests advance it. */
  time = Date.parse('2026-03-02T12:00:00Z')
  /** The received requests, in order. */
  readonly requests: { readonly name: string; readonly fields: Input }[] = []
  readonly faults: Fault[] = []
  readonly profiles: AuthorizeNetProfiles
  readonly webhooks = new AuthorizeNetWebhooks(LOGIN, TRANSACTION_KEY)
  isTestMode = false
  private readonly server = createServer((request, response) => void this.handle(request, response))

  constructor(now?: () => number) {
    const clock = now ?? (() => this.time)
    this.books = new AuthorizeNetBooks(clock)
    this.nonces = new AcceptNonces(clock)
    this.profiles = new AuthorizeNetProfiles(this.nonces)
  }

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('It has no port')
    return `http://127.0.0.1:${address.port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  /** Makes a notification. The hexadecimal key is used as bytes or as text. */
  notification(type: string, id: string, key: 'hex' | 'utf8' = 'hex') {
    const payload = { responseCode: 1, entityName: 'transaction', id }
    const notificationId = `notice-${type}-${id}`
    const body = Buffer.from(JSON.stringify({ notificationId, eventType: type, payload }))
    const digest = createHmac('sha512', Buffer.from(SIGNATURE_KEY, key)).update(body).digest('hex')
    return { headers: { 'x-anet-signature': `sha512=${digest.toUpperCase()}` }, body }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = request.method === 'GET' ? FILES[request.url ?? ''] : undefined
    if (file) {
      const text = await readFile(`test/gateways/authorizenet/stand-in/${file.name}`)
      response.writeHead(200, { 'content-type': file.type }).end(text)
      return
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    if (request.url?.startsWith('/rest/v1/')) return this.webhooks.serve(request, text, response)
    const parsed = parsedJson(text)
    const [name, fields] = isTree(parsed) ? (Object.entries(parsed)[0] ?? ['', {}]) : ['', {}]
    if (request.url !== '/xml/v1/request.api' || !isTree(fields)) {
      response.writeHead(404).end()
      return
    }
    this.serve(this.faults.shift(), () => this.answer(name, fields), response)
  }

  private serve(fault: Fault | undefined, work: () => Input, response: ServerResponse): void {
    switch (fault) {
      case 'lost_before':
        response.destroy()
        break
      case 'unavailable':
        response.writeHead(503).end('<html>Service Unavailable</html>')
        break
      case 'busy':
        this.send(response, failure('E00053', 'The server is currently too busy.'))
        break
      case 'too_many':
        response.writeHead(429, { 'retry-after': '7' }).end()
        break
      case 'system_error':
        this.send(response, failure('E00001', 'An error occurred during processing.'))
        break
      default:
        this.serveWorked(fault, work(), response)
    }
  }

  private serveWorked(fault: Fault | undefined, answer: Input, response: ServerResponse): void {
    switch (fault) {
      case 'silent':
        break
      case 'mixed_up':
        this.send(response, { ...answer, refId: 'of another one' })
        break
      default:
        this.send(response, answer)
    }
  }

  /** Sends an answer. Like the original's, it begins with a byte order mark. */
  private send(response: ServerResponse, answer: Input): void {
    // Pages of other origins must be able to read the answers to Accept.js.
    const headers = { 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' }
    response.writeHead(200, headers)
    response.end(`\uFEFF${JSON.stringify(answer)}`)
  }

  private answer(name: string, fields: Input): Input {
    if (name === 'securePaymentContainerRequest') return this.nonceFor(fields)
    const problem = schemaProblem(name, fields)
    if (problem) return failure(problem.code, problem.text)
    const { merchantAuthentication: who, ...rest } = fields
    if (!isTree(who) || who.name !== LOGIN || who.transactionKey !== TRANSACTION_KEY)
      return failure('E00007', 'User authentication failed due to invalid authentication values.')
    this.requests.push({ name, fields: rest })
    switch (name) {
      case 'createTransactionRequest':
        return this.created(rest)
      case 'createCustomerProfileRequest':
        return this.profiles.create(rest)
      case 'getCustomerProfileRequest':
        return this.profiles.find(rest)
      case 'getCustomerPaymentProfileRequest':
        return this.profiles.show(rest)
      case 'getTransactionDetailsRequest':
        return this.details(String(rest.transId))
      case 'getUnsettledTransactionListRequest':
        return this.page(rest, undefined)
      case 'getTransactionListRequest':
        return this.page(rest, String(rest.batchId))
      case 'getSettledBatchListRequest':
        return this.batchList(rest)
      case 'getMerchantDetailsRequest':
        return {
          merchantName: 'Corner Shop',
          isTestMode: this.isTestMode,
          paymentMethods: ['AmericanExpress', 'Discover', 'Echeck', 'MasterCard', 'Visa'],
          publicClientKey: CLIENT_KEY,
          ...SUCCESS,
        }
      default:
        return failure('E00004', 'The name of the requested API method is invalid.')
    }
  }

  private created({ refId, transactionRequest }: Input): Input {
    if (!isTree(transactionRequest)) return failure('E00014', 'A required field is not present.')
    const { payment } = transactionRequest
    const opaque = isTree(payment) && isTree(payment.opaqueData) ? payment.opaqueData : undefined
    const card = opaque && this.nonces.use(opaque)
    if (typeof card === 'string') return failure(card, 'Invalid OTS Token.')
    const request = card ? { ...transactionRequest, payment: { creditCard: card } } : transactionRequest
    const verdict = this.books.submit(request)
    const isGood = verdict.responseCode === '1' || verdict.responseCode === '4'
    // A decline has `Ok`, an error has `Error`.
    const messages =
      verdict.responseCode === '3' ? failure('E00027', 'The transaction was unsuccessful.') : SUCCESS
    return {
      transactionResponse: { ...transactionResponse(verdict, isGood), ...this.testMark() },
      refId,
      ...this.profileFrom(request, verdict),
      ...messages,
    }
  }

  /** Creates the profile that a payment requested, if the payment was approved. */
  private profileFrom({ profile, customer, payment }: Input, { responseCode, booked }: Verdict): Input {
    if (responseCode !== '1' || !booked || !isTree(profile) || profile.createProfile !== true) return {}
    const made = this.profiles.createFrom(customer, isTree(payment) ? payment : {})
    booked.profile = made
    return { profileResponse: made }
  }

  /** Makes a nonce for a card from the hosted form, which has only the public key. */
  private nonceFor({ merchantAuthentication: who, data }: Input): Input {
    if (!isTree(who) || who.name !== LOGIN || who.clientKey !== CLIENT_KEY)
      return failure('E00007', 'User authentication failed due to invalid authentication values.')
    const card = isTree(data) && data.type === 'TOKEN' ? cardOf(data.token) : undefined
    if (!card) return failure('E_WC_05', 'Please provide valid credit card number.')
    return { opaqueData: this.nonces.make(card), ...SUCCESS }
  }

  private testMark(): Input {
    return { testRequest: this.isTestMode ? '1' : '0', ...(this.isTestMode && { transId: '0' }) }
  }

  private details(id: string): Input {
    const found = this.books.transactions.get(id)
    if (!found) return failure('E00040', 'The record cannot be found.')
    const {
      type,
      status,
      amount,
      settle,
      reason,
      avs,
      cvv,
      invoice,
      description,
      payment,
      returned,
      parent,
      profile,
    } = found
    return {
      transaction: {
        transId: id,
        ...(parent !== undefined && { refTransId: parent }),
        transactionType: type,
        transactionStatus: status,
        responseCode: Number(status === 'declined' ? 2 : 1),
        responseReasonCode: Number(reason),
        authCode: 'HH5414',
        AVSResponse: avs,
        cardCodeResponse: cvv,
        order: { invoiceNumber: invoice, description },
        authAmount: wireAmount(amount),
        settleAmount: wireAmount(settle),
        payment,
        ...(profile && {
          profile: {
            customerProfileId: profile.customerProfileId,
            customerPaymentProfileId: listedTexts(profile.customerPaymentProfileIdList, '')[0],
          },
        }),
        ...(returned.length > 0 && { returnedItems: returned }),
      },
      ...SUCCESS,
    }
  }

  private page({ paging }: Input, batch: string | undefined): Input {
    const { limit, offset } = isTree(paging) ? paging : {}
    const rows = [...this.books.transactions.values()].filter((each) => each.batch === batch)
    const first = (Number(offset) - 1) * Number(limit)
    const transactions = rows.slice(first, first + Number(limit)).map(summary)
    if (transactions.length === 0) return { totalNumInResultSet: rows.length, ...NO_RECORDS }
    return { transactions, totalNumInResultSet: rows.length, ...SUCCESS }
  }

  private batchList({ firstSettlementDate, lastSettlementDate }: Input): Input {
    const [from, to] = [firstSettlementDate, lastSettlementDate].map((each) => Date.parse(String(each)))
    if (from === undefined || to === undefined || to - from > 31 * 86_400_000)
      return failure('E00013', 'The date range cannot exceed 31 days.')
    const batchList = this.books.batches
      .filter(({ settledAt }) => settledAt >= from && settledAt <= to)
      .map(({ id, settledAt, state }) => ({
        batchId: id,
        settlementTimeUTC: new Date(settledAt).toISOString(),
        settlementState: state,
        paymentMethod: this.books.hasBankPayments(id) ? 'eCheck' : 'creditCard',
      }))
    return batchList.length === 0 ? NO_RECORDS : { batchList, ...SUCCESS }
  }
}

function transactionResponse(
  { responseCode, reason, booked, transId, approved }: Verdict,
  isGood: boolean,
): Input {
  const description = `Reason ${reason}`
  return {
    responseCode,
    authCode: isGood ? 'HH5414' : '',
    avsResultCode: booked?.avs ?? 'P',
    cvvResultCode: booked?.cvv ?? '',
    transId,
    accountNumber: `XXXX${lastFourOf(booked)}`,
    ...(lastFourOf(booked) && { accountType: 'Visa' }),
    ...(isGood
      ? { messages: [{ code: reason, description }] }
      : { errors: [{ errorCode: reason, errorText: description }] }),
    ...(reason === '295' && { prePaidCard: { approvedAmount: String(wireAmount(approved ?? 0)) } }),
    ...(isGood && { networkTransId: '123456789NNNH' }),
  }
}

function lastFourOf(booked: Booked | undefined): string {
  const { creditCard } = booked?.payment ?? {}
  return isTree(creditCard) ? String(creditCard.cardNumber).slice(-4) : ''
}

function summary({ id, submitted, status, invoice, settle, returned }: Booked): Input {
  const invoiceNumber = invoice === undefined ? {} : { invoiceNumber: invoice }
  const submitTimeUTC = new Date(submitted).toISOString()
  return {
    transId: id,
    submitTimeUTC,
    transactionStatus: status,
    ...invoiceNumber,
    settleAmount: wireAmount(settle),
    ...(returned.length > 0 && { hasReturnedItems: true }),
  }
}

export function failure(code: string, text: string): Input {
  return { messages: { resultCode: 'Error', message: [{ code, text }] } }
}

export const SUCCESS = { messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] } }
const NO_RECORDS = {
  messages: { resultCode: 'Ok', message: [{ code: 'I00004', text: 'No records found.' }] },
}
