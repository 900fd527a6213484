import { answeredText, minorIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { amountIn, formatMoney, type Minor, moneyWithCurrency } from '../../../schema/money.js'
import { MIN_ROLE } from '../../../schema/role.js'
import { fieldLabel } from '../elements/value.js'
import type { ConsoleWrite } from '../write/console-write.js'
import { plainAmount } from '../write/typed-amount.js'
import type { WriteField } from '../write/write-fields.js'
import { openPaymentWrite, type WrittenPayment, writeOfPayment } from './opened-payment.js'
import { allows } from './read-payment.js'

/** Refunds a payment: all of the amount that is left, or a part. */
export const refundWrite: ConsoleWrite = {
  at: ['transactions', ':id', 'refund'],
  least: MIN_ROLE.refund,
  confirms: 'live',
  open: async (request, id) =>
    await openPaymentWrite(request, id, (payment) => ({
      ...writeOfPayment(payment, 'Refund'),
      summary: `The money goes back to ${payment.method}. A refund cannot be taken back.`,
      fields: [
        amountField(payment.left, `At most ${moneyWithCurrency(payment.left)} is left.`),
        reasonField(true),
      ],
      closed: closedUnless(payment, 'refund', 'refunded'),
      send: (values) => ({
        method: 'POST',
        path: '/transactions',
        body: {
          type: 'refund',
          amount: plainAmount(values.get('amount')),
          ledger: [{ assoc_transaction_id: payment.id }],
        },
        reason: values.get('reason') ?? '',
      }),
      outgoing: (values) => amountIn(plainAmount(values.get('amount'))),
      preview: (refund, values) => {
        const amount = minorIn(refund, 'amount') ?? 0
        return {
          facts: [
            ['Refunded', moneyWithCurrency(amount)],
            ['Goes to', payment.method],
            ['Taken from', payment.merchant],
            ['Left of the payment then', moneyWithCurrency(payment.left - amount)],
            ['Fee of the refund', moneyWithCurrency(minorIn(refund, 'fee') ?? 0)],
            [
              'Fee of the payment',
              `${moneyWithCurrency(minorIn(payment.transaction, 'fee') ?? 0)}, stays as it is`,
            ],
            ['When', whenText(refund)],
            ['Reason', values.get('reason')],
          ],
          label: `Refund ${moneyWithCurrency(amount)}`,
        }
      },
    })),
}

/** Captures an authorized payment: the whole amount, or a part. */
export const captureWrite: ConsoleWrite = {
  at: ['transactions', ':id', 'capture'],
  least: MIN_ROLE.capture,
  open: async (request, id) =>
    await openPaymentWrite(request, id, (payment) => {
      const authorized = minorIn(payment.transaction, 'amount') ?? 0
      return {
        ...writeOfPayment(payment, 'Capture'),
        summary: 'The money that is set aside is taken. What is not captured is released to the payer.',
        fields: [
          amountField(authorized, `${moneyWithCurrency(authorized)} is set aside.`),
          reasonField(false),
        ],
        closed: closedUnless(payment, 'capture', 'captured'),
        send: (values) => ({
          method: 'POST',
          path: `/transactions/${payment.id}/capture`,
          body: { amount: plainAmount(values.get('amount')) },
          ...reasonOf(values),
        }),
        preview: (captured, values) => {
          // A dry run does not reach the gateway: its answer still has the whole amount, so the typed amount is shown.
          const amount = amountIn(plainAmount(values.get('amount'))) ?? authorized
          const isDone = answeredText(captured, 'status') === 'processed'
          return {
            facts: [
              ['Captured', moneyWithCurrency(amount)],
              ['Released', moneyWithCurrency(authorized - amount)],
              ['Taken from', payment.method],
              ['Goes to', payment.merchant],
              [
                'Fee',
                isDone
                  ? moneyWithCurrency(minorIn(captured, 'fee') ?? 0)
                  : 'Calculated for the captured amount',
              ],
              ['When', whenText(captured)],
            ],
            label: `Capture ${moneyWithCurrency(amount)}`,
          }
        },
      }
    }),
}

/** Voids a payment before it settles. */
export const voidWrite: ConsoleWrite = {
  at: ['transactions', ':id', 'void'],
  least: MIN_ROLE.void,
  open: async (request, id) =>
    await openPaymentWrite(request, id, (payment) => ({
      ...writeOfPayment(payment, 'Void'),
      summary: 'The payment is undone before it settles: no money moves. It cannot be taken again.',
      fields: [reasonField(true)],
      closed: closedUnless(payment, 'void', 'voided'),
      send: (values) => ({
        method: 'PUT',
        path: `/transactions/${payment.id}`,
        body: { status: 'voided' },
        ...reasonOf(values),
      }),
      preview: (voided, values) => ({
        facts: [
          ['Voided', moneyWithCurrency(minorIn(voided, 'amount') ?? 0)],
          ['Stays with', payment.method],
          ['Fee', moneyWithCurrency(minorIn(voided, 'fee') ?? 0)],
          ['When', whenText(voided)],
          ['Reason', values.get('reason')],
        ],
      }),
    })),
}

function closedUnless({ transaction, explanation }: WrittenPayment, action: string, done: string) {
  if (allows(explanation, action)) return undefined
  const type = answeredText(transaction, 'type')
  const status = fieldLabel(answeredText(transaction, 'status') ?? '').toLowerCase()
  const rest = action === 'refund' && status === 'processed' ? ' with nothing left of it' : ''
  return `It cannot be ${done} now: it is a ${type} that is ${status}${rest}, or another operation on it has no outcome yet.`
}

function amountField(amount: Minor, hint: string): WriteField {
  return {
    kind: 'text',
    name: 'amount',
    label: 'Amount',
    hint,
    value: formatMoney(amount),
    inputmode: 'decimal',
    autocomplete: 'off',
    required: true,
  }
}

function reasonField(required: boolean): WriteField {
  return {
    kind: 'text',
    name: 'reason',
    label: 'Reason',
    hint: required ? 'For the activity; the payer does not see it.' : 'For the activity, if there is one.',
    maxlength: 500,
    autocomplete: 'off',
    required,
  }
}

function reasonOf(values: ReadonlyMap<string, string>) {
  const reason = values.get('reason') ?? ''
  return reason === '' ? {} : { reason }
}

function whenText(transaction: JsonObject): string {
  const isOpen = ['processing', 'authorized'].includes(answeredText(transaction, 'status') ?? '')
  return isOpen ? 'When the processor has answered' : 'At once'
}
