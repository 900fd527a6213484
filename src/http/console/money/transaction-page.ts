import { textIn } from '../../../schema/answer-values.js'
import { MIN_ROLE, type Role, reaches } from '../../../schema/role.js'
import { headingOf, transactionHtml } from '../../views/console/money/transaction-html.js'
import { type ConsolePage, consoleAddress } from '../console-page.js'
import { objectAddress } from '../object-address.js'
import { allows, readTransaction } from './read-payment.js'
import { RESEND_LEAST } from './resend-write.js'

/** Actions of a payment, the most usual first. */
const ACTIONS = [
  { action: 'capture', label: 'Capture', verb: 'capture' },
  { action: 'refund', label: 'Refund', verb: 'refund' },
  { action: 'void', label: 'Void', verb: 'void' },
] as const

/** The page of a transaction: its facts, history, money and notifications, with what may be done now. */
export const transactionPage: ConsolePage = {
  matches: ([page, id, ...more]) => page === 'transactions' && id !== undefined && more.length === 0,
  async get(request) {
    const { visitor, path } = request
    const { environment, principal } = visitor
    const id = path[1] ?? ''
    const shown = await readTransaction(request, id)
    if ('kind' in shown) return shown
    const may = (least: Role) => reaches(principal.role ?? 'owner', least)
    const actions = ACTIONS.filter(
      ({ action, verb }) => allows(shown.explanation, action) && may(MIN_ROLE[verb]),
    ).map(({ action, label }, index) => ({
      label,
      address: consoleAddress(environment, ['transactions', id, action]),
      isQuiet: index > 0,
    }))
    const customer = textIn(shown.transaction, 'customer_id')
    const body = transactionHtml({
      ...shown,
      actions,
      address: (other) => objectAddress(environment, other),
      list: consoleAddress(environment, ['transactions']),
      customer: customer && consoleAddress(environment, ['customers', customer]),
      resend: may(RESEND_LEAST)
        ? (attempt) => consoleAddress(environment, ['transactions', id, 'resend', attempt])
        : undefined,
    })
    return {
      kind: 'page',
      title: headingOf(shown.transaction),
      body,
      elsewhere: {
        command: `payctl transactions explain ${id}`,
        path: `/transactions/${id}?fields=*,ledger,receipts`,
      },
    }
  },
}
