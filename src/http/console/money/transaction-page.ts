import { answeredText } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { MIN_ROLE, type Role, reaches } from '../../../schema/role.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, consoleAddress } from '../console-page.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { valueContextOf } from '../lists/value-context.js'
import type { ObjectVisit, ResourcePages } from '../objects/resource-pages.js'
import { disputeWrite } from './dispute-pages.js'
import { captureWrite, refundWrite, voidWrite } from './payment-writes.js'
import { allows, readTransaction } from './read-payment.js'
import { resendRole, resendWrite } from './resend-write.js'
import { headingOf, transactionHtml } from './transaction-html.js'

/** Actions of a payment, the most usual first. */
const ACTIONS = [
  { action: 'capture', label: 'Capture' },
  { action: 'refund', label: 'Refund' },
  { action: 'void', label: 'Void' },
] as const

/**
 * In the test environment the bank is simulated. In the live environment an operator records the report of the
 * processor.
 */
const DISPUTE = {
  test: { action: 'dispute', label: 'Simulate a dispute' },
  live: { action: 'dispute', label: 'Record a dispute' },
} as const

function isDisputable(transaction: JsonObject): boolean {
  const status = answeredText(transaction, 'status')
  return answeredText(transaction, 'type') === 'payment' && (status === 'processed' || status === 'rejected')
}

/** The page of a transaction: its facts, history, money and notifications, with the actions that are possible now. */
async function showTransaction({ request, resource, id, list }: ObjectVisit): Promise<ConsoleAnswer> {
  const { visitor } = request
  const { app, environment, principal } = visitor
  const shown = await readTransaction(request, id)
  if ('kind' in shown) return shown
  const addressOf = (...more: readonly string[]) =>
    pageAddress(consoleAddress(environment, ['transactions', id, ...more]))
  const may = (least: Role) => reaches(principal.role ?? 'owner', least)
  const actions = [
    ...ACTIONS.filter(({ action }) => allows(shown.explanation, action)),
    ...(isDisputable(shown.transaction) ? [DISPUTE[environment]] : []),
  ]
    .filter(({ action }) => may(MIN_ROLE[action]))
    .map(({ action, label }) => ({
      label,
      address: addressOf(action),
      isUsual: action !== DISPUTE[environment].action,
    }))
  const body = transactionHtml({
    ...shown,
    actions,
    values: valueContextOf(visitor),
    list: pageAddress(consoleAddress(environment, list.path)),
    resend: may(resendRole(app.model)) ? (attempt) => addressOf('resend', attempt) : undefined,
  })
  return {
    kind: 'page',
    title: headingOf(shown.transaction),
    body,
    elsewhere: objectElsewhere(visitor, resource, id),
  }
}

export const transactionPages: ResourcePages = {
  resource: 'transaction',
  at: ['transactions'],
  list: {
    heading: 'Transactions',
    lead: 'All that moved money, or was to move it: payments, refunds, deposits, disputes.',
    columns: [
      'created_at',
      'type',
      'amount',
      'status',
      'funding_status',
      'customer[name]',
      'payment_method[description]',
      'description',
    ],
    empty: {
      what: 'Payments, refunds, deposits and disputes would be here. A payment link takes the first one.',
      command: 'payctl payment-links create --amount 29.99 --description "A book"',
    },
  },
  object: showTransaction,
  writes: [refundWrite, captureWrite, voidWrite, disputeWrite, resendWrite],
}
