import type { MoneyAction } from '../../../engine/core/moves/effect.js'
import type { Model } from '../../../model/model.js'
import { amountIn, CURRENCY, groupedMoney } from '../../../schema/money.js'
import { maskDigits } from '../../../schema/wire.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from '../client/client.js'
import { isObject, valueAt } from '../input/body.js'
import { cleanText } from '../output/clean.js'
import type { Prompts } from '../prompts/prompts.js'
import { type Danger, namesInTransactions } from './danger.js'

/** Context in which a request to the live environment is confirmed: prompts, and a function that reads objects. */
export interface ConfirmationContext {
  /** Prompts of the terminal; undefined without a terminal. */
  readonly prompts: Pick<Prompts, 'confirm' | 'value'> | undefined
  /** The request in words; looked up unless given. */
  readonly what?: string | undefined
  /** Whether the command's name says what the request does. */
  readonly isNamed?: boolean
  /** An object or a list; undefined if it cannot be read. */
  read(path: string, query?: readonly QueryPair[]): Promise<JsonObject | undefined>
}

/** Value of `fields` that shows a transaction with its payer, its payee and its payment method. */
const PARTIES = '*,customer,processing'

/** Describes a dangerous request: the amount with its currency, the payer, the last digits and the payee. */
export async function questionOf(
  request: ClientRequest,
  danger: Danger,
  context: ConfirmationContext,
): Promise<string> {
  if (context.what !== undefined) return context.what
  switch (danger.kind) {
    case 'money':
      return await movedMoney(request, danger.actions, context)
    case 'deletion':
      return joined(['delete', await described(danger, request, context)])
    case 'dropping':
      return `drop for good the numbers of payment methods that were not used for ${isObject(request.body) ? textOf(request.body.older_than) : ''}, and that a token stands for`
    case 'ending':
      return `end what ${request.path.split('/').at(-2)} names at once; programs that use it are refused from then on`
  }
}

/** The id of an object, and its name, if transactions contain the id; otherwise undefined. */
export async function namedByMoney(
  model: Model,
  { resource, id }: Extract<Danger, { kind: 'deletion' }>,
  { read }: ConfirmationContext,
): Promise<readonly string[] | undefined> {
  if (!resource || id === undefined) return undefined
  for (const name of namesInTransactions(model, resource)) {
    const found = await read('/transactions', [
      [name, id],
      ['limit', '1'],
      ['fields', 'id'],
    ])
    if (Array.isArray(found?.values) && found.values.length > 0)
      return [id, nameOf(await read(`/${resource.plural}/${encodeURIComponent(id)}`))].filter(
        (text) => text !== '',
      )
  }
  return undefined
}

async function described(
  { resource, id }: Extract<Danger, { kind: 'deletion' }>,
  { path }: ClientRequest,
  { read }: ConfirmationContext,
): Promise<string> {
  if (!resource || id === undefined) return path
  const object = await read(`/${resource.plural}/${encodeURIComponent(id)}`)
  return joined([resource.name.replaceAll('_', ' '), id, nameOf(object)])
}

/** Name of an object for people: its name, description, e-mail address or hint. */
function nameOf(object: JsonObject | undefined): string {
  const { name, description, full_name: fullName, email, hint } = object ?? {}
  return textOf(name ?? description ?? fullName ?? email ?? hint)
}

async function movedMoney(
  request: ClientRequest,
  actions: readonly MoneyAction[],
  context: ConfirmationContext,
): Promise<string> {
  const [first] = actions
  if (!first) return request.path
  if (first.verb === 'unknown')
    return `send ${request.method} ${request.path}, which this version does not know`
  const body = isObject(request.body) ? request.body : {}
  if (first.verb === 'billing' && body.billing_schedule_id !== undefined) return backfill(body)
  if (first.verb === 'funding' || first.verb === 'billing') return await plannedRun(first.verb, context)
  if (actions.length > 1) return several(request, actions)
  const about = await storedAbout(first, body, context)
  const amount = first.amount ?? about?.[first.stored?.amountIn ?? 'amount']
  const parts = [
    await payerOf(body, about, context),
    await methodOf(body, about, context),
    await payeeOf(body, about, context),
    placeOf(request.path, about),
  ]
  return [joined([wordsOf(first.verb, body), moneyOf(amount)]), ...parts.filter((part) => part !== '')].join(
    ', ',
  )
}

/** The id of the transaction that a request is about; otherwise its path, except for a new transaction. */
function placeOf(path: string, about: JsonObject | undefined): string {
  if (about) return textOf(about.id)
  return path === '/transactions' ? '' : `at ${path}`
}

/** Words for a verb. For a review the decision in the body is used, and for a dispute the event in the body. */
function wordsOf(verb: MoneyAction['verb'], { decision, event }: JsonObject): string {
  switch (verb) {
    case 'review':
      return textOf(decision) || verb
    case 'dispute':
      return `record ${textOf(event) || verb}`
    case 'redirect':
      return 'change where money goes'
    default:
      return verb
  }
}

function several(request: ClientRequest, actions: readonly MoneyAction[]): string {
  const verbs = [...new Set(actions.map(({ verb }) => verb))].join(' and ')
  const amounts = actions.map(({ amount }) => amountIn(amount))
  const sum = amounts.reduce((total: number, amount) => total + (amount ?? 0), 0)
  const all = amounts.includes(undefined) ? '' : `, ${groupedMoney(sum)} ${CURRENCY} in all`
  return `${verbs}, ${actions.length} times${all}, at ${request.path}`
}

/**
 * The stored object that a request is about: the transaction or exception that it changes, or the payment
 * that it refunds.
 */
async function storedAbout(
  { stored }: MoneyAction,
  body: JsonObject,
  { read }: ConfirmationContext,
): Promise<JsonObject | undefined> {
  const refunded = refundedBy(body)
  const path = stored?.query ? undefined : (stored?.path ?? (refunded && `/transactions/${refunded}`))
  if (path === undefined) return undefined
  return await read(path, path.startsWith('/transactions/') ? [['fields', PARTIES]] : undefined)
}

function refundedBy({ ledger }: JsonObject): string | undefined {
  const [entry] = Array.isArray(ledger) ? ledger : []
  const id = isObject(entry) ? entry.assoc_transaction_id : undefined
  return typeof id === 'string' ? encodeURIComponent(id) : undefined
}

async function payerOf(
  body: JsonObject,
  about: JsonObject | undefined,
  context: ConfirmationContext,
): Promise<string> {
  const stored = nameAt(about, 'customer')
  if (stored !== '') return `payer ${stored}`
  const inline = nameAt(body, 'customer')
  if (inline !== '') return `payer ${inline}`
  const id = textOf(body.customer_id ?? about?.customer_id)
  const customer = id === '' ? undefined : await context.read(`/customers/${encodeURIComponent(id)}`)
  const holder = textOf(valueAt(body, ['payment_method', 'account_holder']))
  const name = joined([nameOf(customer) || id || holder, customer ? `(${id})` : ''])
  return name === '' ? '' : `payer ${name}`
}

async function methodOf(
  body: JsonObject,
  about: JsonObject | undefined,
  context: ConfirmationContext,
): Promise<string> {
  const stored = textOf(valueAt(about ?? {}, ['payment_method', 'description']))
  if (stored !== '') return stored
  const method = isObject(body.payment_method) ? body.payment_method : {}
  const digits = digitsAt(method, 'card', 'card_number') ?? digitsAt(method, 'bank_account', 'account_number')
  if (digits !== undefined) return maskDigits(digits)
  const id = textOf(body.payment_method_id ?? method.id)
  if (id !== '') return nameOf(await context.read(`/payment_methods/${encodeURIComponent(id)}`)) || id
  return await defaultMethod(textOf(body.customer_id ?? about?.customer_id), context)
}

/** Name of the customer's default payment method, which is charged if the request names no method. */
async function defaultMethod(customer: string, { read }: ConfirmationContext): Promise<string> {
  if (customer === '') return ''
  const found = await read('/payment_methods', [['account_id', customer]])
  const methods = Array.isArray(found?.values) ? found.values.filter(isObject) : []
  const chosen = methods.find(({ default_payment_method: isDefault }) => isDefault === true)
  const active = methods.filter(({ keep_active: isKept }) => isKept !== false)
  return nameOf(chosen ?? (active.length === 1 ? active[0] : undefined))
}

async function payeeOf(
  body: JsonObject,
  about: JsonObject | undefined,
  context: ConfirmationContext,
): Promise<string> {
  const stored = nameAt(about, 'processing')
  if (stored !== '') return `payee ${stored}`
  const id = textOf(body.processing_id ?? about?.processing_id)
  if (id !== '') {
    const account = await context.read(`/processing_accounts/${encodeURIComponent(id)}`)
    return `payee ${nameOf(account) || id}`
  }
  const found = await context.read('/processing_accounts', [['is_default', 'true']])
  const [account] = Array.isArray(found?.values) ? found.values.filter(isObject) : []
  return account ? `payee ${nameOf(account)}` : ''
}

/** Describes the backfill of a schedule's invoices, without their amount, which a dry run shows. */
function backfill({ billing_schedule_id: id, from, collect }: JsonObject): string {
  const charged = collect === true ? ', and charge their customer for each' : ', and charge nobody'
  return `make the invoices of ${textOf(id)} that are missing since ${textOf(from)}${charged}`
}

/** Describes a funding or billing run by the counts and amounts of its plan. */
async function plannedRun(run: 'funding' | 'billing', { read }: ConfirmationContext): Promise<string> {
  const plan = await read(`/admin/${run}/plan`)
  if (!plan) return `run ${run}`
  if (run === 'billing')
    return (
      `run billing: ${textOf(plan.count)} invoices of ${moneyOf(plan.amount)}, ` +
      `${textOf(plan.payment_count)} automatic payments of ${moneyOf(plan.payment_amount)}`
    )
  const deposits = Array.isArray(plan.deposits) ? plan.deposits.filter(isObject) : []
  const sum = deposits.reduce(
    (total, { amount, type }) => total + (amountIn(amount) ?? 0) * (type === 'reversal' ? -1 : 1),
    0,
  )
  return `run funding: ${textOf(plan.transactions)} transactions, ${deposits.length} deposits and reversals of ${groupedMoney(sum)} ${CURRENCY}`
}

function nameAt(object: JsonObject | undefined, name: string): string {
  const inner = object?.[name]
  return isObject(inner) ? nameOf(inner) : ''
}

function digitsAt(object: JsonObject, group: string, name: string): string | undefined {
  const digits = valueAt(object, [group, name])
  return typeof digits === 'string' ? digits : undefined
}

function moneyOf(amount: Json | undefined): string {
  const minor = amountIn(amount)
  return minor === undefined ? '' : `${groupedMoney(minor)} ${CURRENCY}`
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return cleanText(typeof value === 'string' ? value : JSON.stringify(value))
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ')
}
