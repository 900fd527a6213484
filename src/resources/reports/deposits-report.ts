import { date, integer, money, ref, text } from '../../schema/field.js'
import { declareReport } from './report.js'

export const depositsReport = declareReport({
  name: 'deposits',
  summary: 'show what was paid out, what is in each deposit, and what is on its way',
  rows: { of: 'deposits' },
  columns: {
    processing_id: { label: 'Account', field: ref('processing_account', { doc: 'the processing account' }) },
    date: {
      label: 'Date',
      field: date({ doc: 'day on which the money was sent; null for money on its way' }),
    },
    kind: { label: 'What', field: text({ doc: 'deposit, reversal, or on_its_way' }) },
    reference: { label: 'Reference', field: text({ doc: 'its ref_number' }) },
    object_id: { label: 'Id', field: ref('transaction', { doc: 'the deposit or reversal' }) },
    transactions: {
      label: 'Items',
      field: integer({ doc: 'how many transactions are in it' }),
      isTotalled: true,
    },
    payments: {
      label: 'Payments',
      field: money({ sign: 'any', doc: 'amount of the payments in it' }),
      isTotalled: true,
    },
    others: {
      label: 'Refunds and others',
      field: money({ sign: 'any', doc: 'amount of refunds, credits and all else in it' }),
      isTotalled: true,
    },
    unexplained: {
      label: 'Unexplained',
      field: money({ sign: 'any', doc: "part of a gateway's payout that matches no transaction" }),
      isTotalled: true,
    },
    fee: {
      label: 'Fee',
      field: money({ sign: 'any', doc: 'the fees that were deducted from it' }),
      isTotalled: true,
    },
    amount: {
      label: 'Amount',
      field: money({
        sign: 'any',
        doc: "amount paid to the merchant's bank account; below zero: taken from it",
      }),
      isTotalled: true,
    },
  },
  totals: {
    on_its_way: money({ sign: 'any', doc: 'what merchants are due at the end of the last day' }),
  },
})
