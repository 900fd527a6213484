import type { Action, Price } from './actions.js'

/** A transaction according to the money rules; amounts in cents. */
export interface Transaction {
  readonly type: 'payment' | 'refund' | 'credit' | 'chargeback' | 'chargeback_reversal'
  /** The amount; the captured part after a partial capture. */
  amount: number
  /** For a chargeback and its reversal: the part of the amount that exceeds the payment. */
  readonly excess: number
  /** Prices of a payment. */
  readonly price: Price
  /** Index of the payment that a refund, a chargeback or its reversal belongs to; null for other types. */
  readonly of: number | null
  status: 'processed' | 'authorized' | 'voided' | 'declined' | 'rejected'
  funding: 'pending' | 'captured' | 'refunded' | 'reversed' | null
  /**
   * Fees. For a chargeback and its reversal, `conv` is the lost or returned convenience fee of the payment.
   */
  fees: Fees
  refunded: number
  chargedBack: number
  /** For a chargeback: whether the dispute was won. */
  isWon: boolean
  description: string | null
  deleted: boolean
}

interface Fees {
  readonly conv: number
  readonly fee: number
  readonly accrued: number
}

/** A minimal model of the service. */
export interface Model {
  readonly price: Price
  transactions: Transaction[]
}

/** Result of a request; a refusal has no effect. */
export type Outcome =
  | { readonly kind: 'done'; readonly subjects: readonly number[] }
  | { readonly kind: 'declined'; readonly subject: number }
  | { readonly kind: 'refused'; readonly type: 'InvalidAttributes' | 'NotFound' }

const NO_FEES: Fees = { conv: 0, fee: 0, accrued: 0 }
/** Chargeback fee of a new account, in cents. */
const CHARGEBACK_FEE = 1_500
const invalid: Outcome = { kind: 'refused', type: 'InvalidAttributes' }
const gone: Outcome = { kind: 'refused', type: 'NotFound' }

/** Applies an action to the model. */
export function perform(model: Model, action: Action): Outcome {
  switch (action.kind) {
    case 'pay': {
      if (action.by === 'declined_card')
        return {
          kind: 'declined',
          subject: add(model, { type: 'payment', amount: action.cents, status: 'declined' }),
        }
      const price = action.by === 'card' ? model.price : bankPrice(model.price)
      const fees = feesOf(action.cents, price)
      const status = action.hold ? 'authorized' : 'processed'
      return done(add(model, { type: 'payment', amount: action.cents, status, fees, price }))
    }
    case 'pay_out':
      return done(add(model, { type: action.as, amount: action.cents, status: 'processed' }))
    case 'refund':
      return refund(model, action.nth, [action.part])
    case 'refund_twice':
      return refund(model, action.nth, action.parts)
    case 'charge_back':
      return chargeBack(model, action.nth, action.part)
    case 'win':
      return win(model, action.nth)
    case 'capture_part':
      return capturePart(model, action.nth, action.part)
    default:
      return change(model, action)
  }
}

/** Index of the transaction that `nth` selects: numbers beyond the last one start again. */
function placeOf({ transactions }: Model, nth: number): number {
  return nth % transactions.length
}

/** The transaction that `nth` selects. Throws if there is none yet. */
export function at(model: Model, nth: number): Transaction {
  const transaction = model.transactions[placeOf(model, nth)]
  if (!transaction) throw new Error('There is no transaction yet')
  return transaction
}

function leftOf({ amount, refunded, chargedBack }: Transaction): number {
  return amount - refunded - chargedBack
}

/** Amount in cents of each part of a refund or a chargeback. */
export function asked(payment: Transaction, parts: readonly number[]): number[] {
  const left = leftOf(payment)
  return parts.map((part) => (part > 100 ? left + part - 100 : Math.max(1, Math.floor((left * part) / 100))))
}

function refund(model: Model, nth: number, parts: readonly number[]): Outcome {
  const payment = at(model, nth)
  const amounts = asked(payment, parts)
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  if (!isProcessed(payment) || sum > leftOf(payment)) return invalid
  payment.refunded += sum
  if (payment.refunded === payment.amount) payment.funding = 'refunded'
  const of = placeOf(model, nth)
  return done(...amounts.map((amount) => add(model, { type: 'refund', amount, of, status: 'processed' })))
}

/** Amount in cents of a partial capture. */
export function capturedPart({ amount }: Transaction, part: number): number {
  return part > 100 ? amount + part - 100 : Math.max(1, Math.floor((amount * part) / 100))
}

/** Captures a part of an authorized payment, once, with its own fees. */
function capturePart(model: Model, nth: number, part: number): Outcome {
  const payment = at(model, nth)
  if (payment.deleted) return gone
  const amount = capturedPart(payment, part)
  if (payment.status !== 'authorized' || amount > payment.amount) return invalid
  Object.assign(payment, { status: 'processed', amount, fees: feesOf(amount, payment.price) })
  return done(placeOf(model, nth))
}

/**
 * The payer's bank takes a part of a payment back, or more. When the balance is zero, the payment is rejected
 * and its convenience fee is lost. An amount beyond the payment is a loss of the operator.
 */
function chargeBack(model: Model, nth: number, part: number): Outcome {
  const payment = at(model, nth)
  if (payment.type !== 'payment' || !['processed', 'rejected'].includes(payment.status)) return invalid
  const of = placeOf(model, nth)
  const [taken = 0] = asked(payment, [part])
  const amount = Math.min(taken, leftOf(payment))
  payment.chargedBack += amount
  const isAll = leftOf(payment) === 0
  const conv = isAll && losesConvFee(model, of, { amount, rest: taken - amount }) ? payment.fees.conv : 0
  if (isAll && amount > 0) Object.assign(payment, { status: 'rejected', funding: 'reversed' })
  const excess = Math.max(0, taken - amount - conv)
  const { monthly } = model.price
  const fees = { conv, fee: monthly ? 0 : CHARGEBACK_FEE, accrued: monthly ? CHARGEBACK_FEE : 0 }
  const made = { type: 'chargeback', amount: amount + excess, excess, of, status: 'processed', fees } as const
  return done(add(model, made))
}

/** Whether a payment without balance loses its convenience fee: once, unless that was returned. */
function losesConvFee(
  { transactions }: Model,
  of: number,
  { amount, rest }: { readonly amount: number; readonly rest: number },
): boolean {
  if (amount > 0) return true
  const payment = transactions[of]
  if (!payment || payment.status === 'rejected' || rest <= payment.fees.conv) return false
  const countOf = (type: Transaction['type']) =>
    transactions.filter(
      (each) => each.type === type && each.of === of && each.excess > 0 && each.fees.conv > 0,
    ).length
  return countOf('chargeback') <= countOf('chargeback_reversal')
}

/**
 * Wins the dispute of the newest open chargeback. Only a settled payment can have a chargeback, so its funding is
 * captured afterwards.
 */
function win(model: Model, nth: number): Outcome {
  const of = placeOf(model, nth)
  const payment = at(model, nth)
  const chargeback = model.transactions.findLast(
    (each) => each.type === 'chargeback' && each.of === of && !each.isWon,
  )
  if (!chargeback) return invalid
  const { amount, excess } = chargeback
  const own = amount - excess
  const wasRejected = own > 0 && payment.status === 'rejected'
  chargeback.isWon = true
  payment.chargedBack -= own
  if (wasRejected) payment.status = 'processed'
  if (wasRejected || (own > 0 && payment.funding === 'pending')) payment.funding = 'captured'
  const lost = wasRejected ? payment.fees.conv : 0
  const fees = { ...NO_FEES, conv: own > 0 ? lost : chargeback.fees.conv }
  return done(add(model, { type: 'chargeback_reversal', amount, excess, of, status: 'processed', fees }))
}

function isProcessed({ type, status, deleted }: Transaction): boolean {
  return type === 'payment' && status === 'processed' && !deleted
}

type Change = Exclude<
  Action,
  { kind: 'pay' | 'pay_out' | 'refund' | 'refund_twice' | 'charge_back' | 'capture_part' | 'win' }
>

function change(model: Model, action: Change): Outcome {
  const transaction = at(model, action.nth)
  const { status } = transaction
  const place = placeOf(model, action.nth)
  if (transaction.deleted) return gone
  switch (action.kind) {
    case 'describe':
      transaction.description = action.text
      return done(place)
    case 'delete':
      if (status !== 'declined' && status !== 'voided') return invalid
      transaction.deleted = true
      return done(place)
    case 'capture':
      if (status !== 'authorized') return status === 'processed' ? done(place) : invalid
      transaction.status = 'processed'
      return done(place)
    case 'void':
      if (status !== 'voided' && !isVoidable(transaction)) return invalid
      Object.assign(transaction, { status: 'voided', funding: null, fees: NO_FEES })
      return done(place)
  }
}

function isVoidable(transaction: Transaction): boolean {
  const { type, status, amount, funding } = transaction
  const isUntouched = status === 'processed' && leftOf(transaction) === amount && funding === 'pending'
  return type === 'payment' && (status === 'authorized' || isUntouched)
}

function add(
  model: Model,
  made: Partial<Transaction> & Pick<Transaction, 'type' | 'amount' | 'status'>,
): number {
  const unmade = { of: null, fees: NO_FEES, refunded: 0, chargedBack: 0, description: null, deleted: false }
  const isFunded = made.status !== 'declined' && (made.of ?? null) === null
  const funding = isFunded ? 'pending' : null
  const { price } = model
  return model.transactions.push({ ...unmade, funding, isWon: false, excess: 0, price, ...made }) - 1
}

function done(...subjects: readonly number[]): Outcome {
  return { kind: 'done', subjects }
}

/** Prices of bank payments in a new account; the generated prices apply to cards. */
function bankPrice({ monthly }: Price): Price {
  return { rate: 0, alloc: 0, cost: 30, monthly }
}

function feesOf(amount: number, { rate, alloc, cost, monthly }: Price): Fees {
  const whole = portion(amount, rate) + cost
  const conv = portion(whole, alloc)
  return { conv, fee: monthly ? 0 : whole - conv, accrued: monthly ? whole - conv : 0 }
}

/** A rate of an amount, with halves rounded up. */
function portion(amount: number, ppm: number): number {
  return Math.floor((amount * ppm + 500_000) / 1_000_000)
}

/** Balances of the journal, by book account; accounts at zero are omitted. */
export function booksOfModel({ transactions }: Model): Record<string, number> {
  const books: Record<string, number> = {}
  for (const transaction of transactions.filter(isBooked))
    for (const [account, amount] of Object.entries(bookedBy(transaction)))
      books[account] = (books[account] ?? 0) + amount
  return Object.fromEntries(Object.entries(books).filter(([, sum]) => sum !== 0))
}

function isBooked({ status }: Transaction): boolean {
  return status === 'processed' || status === 'rejected'
}

function bookedBy({
  type,
  amount: whole,
  excess,
  fees: { conv, fee, accrued },
}: Transaction): Record<string, number> {
  const amount = whole - excess
  switch (type) {
    case 'payment':
      return {
        processor_clearing: -amount - conv,
        merchant_payable: amount - fee,
        fee_income: conv + fee + accrued,
        fee_receivable: -accrued,
      }
    case 'refund':
    case 'credit':
      return { processor_clearing: amount, merchant_payable: -amount }
    case 'chargeback':
      return {
        processor_clearing: amount,
        merchant_payable: -amount - fee,
        fee_income: fee + accrued - conv,
        fee_receivable: -accrued,
        cash: conv + excess,
        chargeback_loss: -excess,
      }
    case 'chargeback_reversal':
      return {
        processor_clearing: -amount,
        merchant_payable: amount,
        fee_income: conv,
        cash: -conv - excess,
        chargeback_loss: excess,
      }
  }
}
