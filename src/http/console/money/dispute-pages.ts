import { answeredText, minorIn } from '../../../schema/answer-values.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import { MIN_ROLE } from '../../../schema/role.js'
import type { WriteField } from '../../views/console/write-fields.js'
import type { ConsolePage } from '../console-page.js'
import { listPage } from '../lists/list-page.js'
import type { ConsoleWrite } from '../write/console-write.js'
import { plainAmount } from '../write/write-page.js'
import { openPaymentWrite, writeOfPayment } from './opened-payment.js'

/** Chargebacks, bank returns and those that were won back, the newest first. */
export const disputesPage: ConsolePage = {
  matches: ([page, ...more]) => page === 'disputes' && more.length === 0,
  get: async (request) =>
    await listPage(request, {
      resource: request.visitor.app.model.get('transaction'),
      heading: 'Disputes',
      lead: 'Money that the banks of payers took back, and what was won back. Banks are answered at the processor; the outcome is recorded at the payment.',
      preset: [['type', 'chargeback|chargeback_reversal']],
      columns: [
        'created_at',
        'type',
        'amount',
        'fee',
        'status_message',
        'payment_method[description]',
        'processing[name]',
      ],
      empty: {
        what: 'Disputes appear here when a bank takes a payment back.',
        ...(request.visitor.environment === 'test' && {
          command: 'payctl simulate chargeback TRANSACTION',
        }),
      },
    }),
}

const EVENTS = [
  { value: 'chargeback', label: 'Charged back', hint: 'The bank took the money back for its customer.' },
  { value: 'return', label: 'Returned', hint: 'The bank returned a debit of a bank account; that is final.' },
  { value: 'dispute_won', label: 'Won', hint: 'The dispute was won: the bank gives the money back.' },
] as const

/** Records what the bank of a payer did. In test the bank is simulated; in live it is what a processor has said. */
export const disputeWrite: ConsoleWrite = {
  at: ['transactions', ':id', 'dispute'],
  least: MIN_ROLE.dispute,
  open: async (request, id) =>
    await openPaymentWrite(request, id, (payment) => {
      const isLive = request.visitor.environment === 'live'
      const status = answeredText(payment.transaction, 'status')
      const isOpen = status === 'processed' || status === 'rejected'
      return {
        ...writeOfPayment(payment, isLive ? 'Record a dispute of' : 'Simulate a dispute of'),
        summary: isLive
          ? 'Record what the bank of the payer did, as the processor has said it. It is booked as the word of the bank.'
          : 'The bank of the payer acts, as far as the test environment goes.',
        label: 'Record',
        fields: isLive ? [eventField, amountField, disputeField] : [eventField, amountField],
        closed: isOpen ? undefined : 'Only a payment that was processed is disputed.',
        send: (values) => {
          const amount = plainAmount(values.get('amount'))
          return {
            method: 'POST',
            path: isLive ? '/admin/disputes' : '/admin/simulate',
            body: {
              event: values.get('event') ?? '',
              transaction_id: id,
              ...(amount !== '' && { amount }),
              ...(isLive && { dispute: values.get('dispute') ?? '' }),
            },
          }
        },
        preview: (recorded, values) => ({
          facts: [
            ['Recorded', EVENTS.find(({ value }) => value === values.get('event'))?.label],
            ['Amount', moneyWithCurrency(minorIn(recorded, 'amount') ?? 0)],
            ['Fee of the merchant', amountText(minorIn(recorded, 'fee'))],
            ['Beyond the payment, a loss', amountText(minorIn(recorded, 'excess'))],
            ['Dispute', values.get('dispute')],
            ['Status of the payment then', answeredText(recorded, 'status')],
          ],
        }),
      }
    }),
}

function amountText(minor: number | undefined): string | undefined {
  return minor === undefined || minor === 0 ? undefined : moneyWithCurrency(minor)
}

const eventField: WriteField = {
  kind: 'choice',
  name: 'event',
  label: 'What the bank did',
  options: EVENTS,
  required: true,
}

const amountField: WriteField = {
  kind: 'text',
  name: 'amount',
  label: 'Amount',
  hint: 'All of the payment unless given.',
  inputmode: 'decimal',
  autocomplete: 'off',
}

const disputeField: WriteField = {
  kind: 'text',
  name: 'dispute',
  label: 'Id of the dispute at the processor',
  hint: 'It is recorded once by this id.',
  maxlength: 100,
  autocomplete: 'off',
  required: true,
}
