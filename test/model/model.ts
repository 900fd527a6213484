import type { Action, Price } from './actions.js'

/** A transaction as the rules of money want it. Amounts in cents. */
export interface Transaction {
  readonly type: 'payment' | 'refund' | 'credit'
  readonly amount: number
  /** The payment that a refund is of, by when it was made. */
  readonly of: number | null
  status: 'processed' | 'authorized' | 'voided' | 'declined'
  fees: Fees
  refunded: number
  description: string | null
  deleted: boolean
}

interface Fees {
  readonly conv: number
  readonly fee: number
  readonly accrued: number
}

/** The whole service, as small as it can be. */
export interface Model {
  readonly price: Price
  transactions: Transaction[]
}

/** What asking something amounts to; a refusal changes nothing. */
export type Outcome =
  | { readonly kind: 'done'; readonly subjects: readonly number[] }
  | { readonly kind: 'declined'; readonly subject: number }
  | { readonly kind: 'refused'; readonly type: 'InvalidAttributes' | 'NotFound' }

const NO_FEES: Fees = { conv: 0, fee: 0, accrued: 0 }
const invalid: Outcome = { kind: 'refused', type: 'InvalidAttributes' }
const gone: Outcome = { kind: 'refused', type: 'NotFound' }

/** Does to the model what the action asks for. */
export function perform(model: Model, action: Action): Outcome {
  switch (action.kind) {
    case 'pay': {
      if (action.by === 'declined_card')
        return {
          kind: 'declined',
          subject: add(model, { type: 'payment', amount: action.cents, status: 'declined' }),
        }
      const fees = feesOf(action.cents, action.by === 'card' ? model.price : bankPrice(model.price))
      const status = action.hold ? 'authorized' : 'processed'
      return done(add(model, { type: 'payment', amount: action.cents, status, fees }))
    }
    case 'pay_out':
      return done(add(model, { type: action.as, amount: action.cents, status: 'processed' }))
    case 'refund':
      return refund(model, action.nth, [action.part])
    case 'refund_twice':
      return refund(model, action.nth, action.parts)
    default:
      return change(model, action)
  }
}

/** Which transaction a number names. */
function placeOf({ transactions }: Model, nth: number): number {
  return nth % transactions.length
}

/** The transaction that a number names. */
export function at(model: Model, nth: number): Transaction {
  const transaction = model.transactions[placeOf(model, nth)]
  if (!transaction) throw new Error('There is no transaction yet')
  return transaction
}

/** How many cents each part of a refund asks for. */
export function asked(payment: Transaction, parts: readonly number[]): number[] {
  const left = payment.amount - payment.refunded
  return parts.map((part) => (part > 100 ? left + part - 100 : Math.max(1, Math.floor((left * part) / 100))))
}

function refund(model: Model, nth: number, parts: readonly number[]): Outcome {
  const payment = at(model, nth)
  const amounts = asked(payment, parts)
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  const isOpen = payment.type === 'payment' && payment.status === 'processed' && !payment.deleted
  if (!isOpen || sum > payment.amount - payment.refunded) return invalid
  payment.refunded += sum
  const of = placeOf(model, nth)
  return done(...amounts.map((amount) => add(model, { type: 'refund', amount, of, status: 'processed' })))
}

type Change = Exclude<Action, { kind: 'pay' | 'pay_out' | 'refund' | 'refund_twice' }>

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
      Object.assign(transaction, { status: 'voided', fees: NO_FEES })
      return done(place)
  }
}

function isVoidable({ type, status, refunded }: Transaction): boolean {
  return type === 'payment' && (status === 'authorized' || (status === 'processed' && refunded === 0))
}

function add(
  model: Model,
  made: Partial<Transaction> & Pick<Transaction, 'type' | 'amount' | 'status'>,
): number {
  const unmade = { of: null, fees: NO_FEES, refunded: 0, description: null, deleted: false }
  return model.transactions.push({ ...unmade, ...made }) - 1
}

function done(...subjects: readonly number[]): Outcome {
  return { kind: 'done', subjects }
}

/** What a new account pays for bank payments: the generated prices are those of cards. */
function bankPrice({ monthly }: Price): Price {
  return { rate: 0, alloc: 0, cost: 30, monthly }
}

function feesOf(amount: number, { rate, alloc, cost, monthly }: Price): Fees {
  const whole = portion(amount, rate) + cost
  const conv = portion(whole, alloc)
  return { conv, fee: monthly ? 0 : whole - conv, accrued: monthly ? whole - conv : 0 }
}

/** A half is rounded up. */
function portion(amount: number, ppm: number): number {
  return Math.floor((amount * ppm + 500_000) / 1_000_000)
}

/** Balances of the journal, by book account; accounts at zero are left out. */
export function booksOfModel({ transactions }: Model): Record<string, number> {
  const [clearing, payable, income, receivable] = transactions
    .filter(({ status }) => status === 'processed')
    .map(bookedBy)
    .reduce((sums, booked) => sums.map((sum, account) => sum + (booked[account] ?? 0)), [0, 0, 0, 0])
  const books = {
    processor_clearing: clearing ?? 0,
    merchant_payable: payable ?? 0,
    fee_income: income ?? 0,
    fee_receivable: receivable ?? 0,
  }
  return Object.fromEntries(Object.entries(books).filter(([, sum]) => sum !== 0))
}

function bookedBy({ type, amount, fees: { conv, fee, accrued } }: Transaction): number[] {
  if (type !== 'payment') return [amount, -amount, 0, 0]
  return [-amount - conv, amount - fee, conv + fee + accrued, -accrued]
}
