import { formatMoney, parseMoney } from '../../../src/schema/money.js'
import { type Input, isTree } from '../../../src/schema/types.js'

/** A transaction in the books of the test server. */
export interface Booked {
  readonly id: string
  readonly type: string
  status: string
  readonly amount: number
  settle: number
  readonly invoice: string | undefined
  readonly description: string | undefined
  /** The masked method. */
  readonly payment: Input
  readonly parent: string | undefined
  readonly submitted: number
  readonly reason: string
  readonly avs: string
  readonly cvv: string
  readonly returned: Input[]
  batch: string | undefined
  /** Answer about the profile, if the payment creates one. */
  profile?: Input
}

/** The answer of the books to a request. */
export interface Verdict {
  readonly responseCode: string
  readonly reason: string
  readonly booked?: Booked
  readonly transId: string
  /** The approved amount, if a prepaid card had less than the requested amount. */
  readonly approved?: number
}

interface Batch {
  readonly id: string
  readonly settledAt: number
  readonly state: string
}

/** Reason codes of requests that are refused before there is a transaction. */
const UNKEPT = new Set(['11', '13', '16', '33', '47', '50', '54', '55', '310', '311'])

/** The books of one merchant's account: transactions, batches, and the contents of recent requests. */
export class AuthorizeNetBooks {
  readonly transactions = new Map<string, Booked>()
  readonly batches: Batch[] = []
  /** Reason codes for the next requests with a card, by its last four digits. */
  readonly reasons = new Map<string, string>()
  private readonly contents = new Map<string, number>()
  private count = 0

  constructor(readonly now: () => number) {}

  /** Payments less refunds of the account, in cents. */
  get taken(): number {
    return [...this.transactions.values()]
      .filter(({ status }) => /^(captured|settled|refund|pendingS)/.test(status))
      .reduce((sum, { type, settle }) => sum + (type === 'refundTransaction' ? -settle : settle), 0)
  }

  submit(request: Input): Verdict {
    const type = String(request.transactionType)
    const parent = this.transactions.get(String(request.refTransId))
    switch (type) {
      case 'voidTransaction':
        return this.voided(parent)
      case 'priorAuthCaptureTransaction':
        return this.captured(parent, minor(request.amount))
      case 'refundTransaction':
        return request.refTransId === undefined ? this.begun(request, type) : this.refunded(request, parent)
      default:
        return this.begun(request, type)
    }
  }

  /** Settles all captured transactions in a new batch. Returns the batch's id. */
  settle(settledAt = this.now()): string {
    const id = String(9_000 + this.batches.length)
    this.batches.push({ id, settledAt, state: 'settledSuccessfully' })
    for (const each of this.transactions.values()) {
      if (each.batch !== undefined || /^(authorizedP|FDS)/.test(each.status)) continue
      each.batch = id
      if (each.status === 'capturedPendingSettlement') each.status = 'settledSuccessfully'
      if (each.status === 'refundPendingSettlement') each.status = 'refundSettledSuccessfully'
    }
    return id
  }

  hasBankPayments(batch: string): boolean {
    const inBatch = [...this.transactions.values()].filter((each) => each.batch === batch)
    return inBatch.some(({ payment }) => isTree(payment.bankAccount))
  }

  /** Adds a transaction that someone else made. */
  keep(more: Partial<Booked> = {}): Booked {
    const id = String(60_000_000_000 + ++this.count)
    const booked: Booked = {
      id,
      type: 'authCaptureTransaction',
      status: 'capturedPendingSettlement',
      amount: 100,
      settle: 100,
      invoice: undefined,
      description: undefined,
      payment: {},
      parent: undefined,
      submitted: this.now(),
      reason: '1',
      avs: 'P',
      cvv: '',
      returned: [],
      batch: undefined,
      ...more,
    }
    this.transactions.set(id, booked)
    return booked
  }

  private begun(request: Input, type: string): Verdict {
    const payment = masked(request.payment)
    const order = isTree(request.order) ? request.order : {}
    if (this.isRepeated(request)) return refusal('11')
    const reason = this.reasons.get(lastFour(payment)) ?? '1'
    if (UNKEPT.has(reason)) return refusal(reason)
    const amount = minor(request.amount)
    const approved = reason === '295' ? Math.floor(amount / 2) : amount
    const booked = this.keep({
      type,
      amount: approved,
      payment,
      reason,
      status: statusOf(type, reason),
      avs: 'Y',
      cvv: 'M',
      invoice: text(order.invoiceNumber),
      description: text(order.description),
      settle: type === 'authOnlyTransaction' || statusOf(type, reason) === 'declined' ? 0 : approved,
    })
    return { responseCode: responseCode(reason), reason, booked, transId: booked.id, approved }
  }

  private captured(parent: Booked | undefined, amount: number): Verdict {
    if (!parent) return refusal('16')
    if (/^(captured|settled)/.test(parent.status)) return approval('311', parent)
    if (parent.status !== 'authorizedPendingCapture') return refusal('16')
    if (amount > parent.amount) return refusal('47')
    parent.status = 'capturedPendingSettlement'
    parent.settle = amount
    return approval('1', parent)
  }

  private voided(parent: Booked | undefined): Verdict {
    if (!parent || parent.batch !== undefined) return refusal('16')
    if (parent.status === 'voided') return approval('310', parent)
    parent.status = 'voided'
    parent.settle = 0
    return approval('1', parent)
  }

  private refunded(request: Input, parent: Booked | undefined): Verdict {
    if (!parent) return refusal('16')
    if (parent.status !== 'settledSuccessfully') return refusal('54')
    const payment = masked(request.payment)
    if (lastFour(payment) !== lastFour(parent.payment)) return refusal('54')
    if (this.isRepeated(request)) return refusal('11')
    const amount = minor(request.amount)
    const refunds = [...this.transactions.values()].filter(({ parent: of }) => of === parent.id)
    if (refunds.reduce((sum, { settle }) => sum + settle, amount) > parent.settle) return refusal('55')
    const order = isTree(request.order) ? request.order : {}
    const booked = this.keep({
      type: 'refundTransaction',
      status: 'refundPendingSettlement',
      amount,
      settle: amount,
      payment,
      parent: parent.id,
      invoice: text(order.invoiceNumber),
      description: text(order.description),
    })
    return approval('1', booked)
  }

  /** Whether a request with the same contents came within the request's own duplicate window. */
  private isRepeated(request: Input): boolean {
    const { transactionType, amount, payment, profile, refTransId, order, transactionSettings } = request
    const invoice = isTree(order) ? order.invoiceNumber : undefined
    const contents = JSON.stringify([transactionType, amount, payment, profile, refTransId, invoice])
    const window = /"duplicateWindow","settingValue":"(\d+)"/.exec(JSON.stringify(transactionSettings ?? {}))
    const sent = this.contents.get(contents)
    this.contents.set(contents, this.now())
    return sent !== undefined && this.now() - sent < 1_000 * Number(window?.[1] ?? 120)
  }
}

function statusOf(type: string, reason: string): string {
  if (reason === '252' || reason === '253') return 'FDSPendingReview'
  if (reason !== '1' && reason !== '295') return 'declined'
  if (type === 'authOnlyTransaction') return 'authorizedPendingCapture'
  return type === 'refundTransaction' ? 'refundPendingSettlement' : 'capturedPendingSettlement'
}

function responseCode(reason: string): string {
  if (reason === '1') return '1'
  if (/^(252|253|295)$/.test(reason)) return '4'
  return /^(2|3|4|27|41|44|45|65|191|250|251|254)$/.test(reason) ? '2' : '3'
}

function refusal(reason: string): Verdict {
  return { responseCode: '3', reason, transId: '0' }
}

function approval(reason: string, booked: Booked): Verdict {
  return { responseCode: '1', reason, booked, transId: booked.id }
}

function masked(payment: unknown): Input {
  if (!isTree(payment)) return {}
  const { creditCard, bankAccount } = payment
  if (isTree(creditCard))
    return {
      creditCard: { cardNumber: `XXXX${String(creditCard.cardNumber).slice(-4)}`, expirationDate: 'XXXX' },
    }
  if (!isTree(bankAccount)) return {}
  const { accountType, accountNumber, routingNumber, nameOnAccount } = bankAccount
  const [number, routing] = [accountNumber, routingNumber].map((each) => `XXXX${String(each).slice(-4)}`)
  return { bankAccount: { accountType, routingNumber: routing, accountNumber: number, nameOnAccount } }
}

function lastFour(payment: Input): string {
  return (
    /\d{4}(?="})|(?<="accountNumber":"XXXX)\d{4}|(?<="cardNumber":"XXXX)\d{4}/.exec(
      JSON.stringify(payment),
    )?.[0] ?? ''
  )
}

function minor(value: unknown): number {
  return parseMoney(String(value)) ?? 0
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** An amount as the endpoint writes it: a number with two decimals. */
export function wireAmount(amount: number): number {
  return Number(formatMoney(amount))
}
