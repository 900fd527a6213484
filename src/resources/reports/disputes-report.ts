import { date, money, ref, text } from '../../schema/field.js'
import { declareReport } from './report.js'

export const disputesReport = declareReport({
  name: 'disputes',
  summary: 'show what banks of payers took back, and what was won back',
  rows: { of: 'disputes' },
  columns: {
    date: { label: 'Date', field: date({ doc: 'day of the booking' }) },
    processing_id: { label: 'Account', field: ref('processing_account', { doc: 'the processing account' }) },
    kind: {
      label: 'What',
      field: text({ doc: 'chargeback, or chargeback_reversal for a dispute that was won' }),
    },
    code: { label: 'Code', field: text({ doc: 'status code, such as R01 for a bank return' }) },
    reference: { label: 'Reference', field: text({ doc: 'its ref_number' }) },
    object_id: { label: 'Id', field: ref('transaction', { doc: 'the chargeback, or its reversal' }) },
    payment_id: { label: 'Payment', field: ref('transaction', { doc: 'the payment' }) },
    amount: {
      label: 'Amount',
      field: money({ sign: 'any', doc: 'amount paid to the merchant; below zero: taken from the merchant' }),
      isTotalled: true,
    },
    fee: {
      label: 'Fee',
      field: money({ sign: 'any', doc: 'what the merchant is charged for it' }),
      isTotalled: true,
    },
    lost: {
      label: 'Loss',
      field: money({ sign: 'any', doc: 'amount taken beyond that of the payment' }),
      isTotalled: true,
    },
  },
})
