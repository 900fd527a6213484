import { date, datetime, money, ref, text } from '../../schema/field.js'
import { declareReport } from './report.js'

export const statementReport = declareReport({
  name: 'statement',
  summary: "show a merchant's statement: opening balance, every line, closing balance",
  rows: { of: 'statements', account: 'merchant_payable' },
  columns: {
    processing_id: { label: 'Account', field: ref('processing_account', { doc: 'the processing account' }) },
    date: { label: 'Date', field: date({ doc: 'day of the booking' }) },
    kind: {
      label: 'What',
      field: text({ doc: 'opening, closing, or the type of the transaction' }),
    },
    reference: { label: 'Reference', field: text({ doc: "the transaction's ref_number" }) },
    object_id: {
      label: 'Id',
      field: text({ doc: 'the transaction, or another object that it was booked for' }),
    },
    amount: {
      label: 'Amount',
      field: money({ sign: 'any', doc: 'amount that the merchant is owed for it, or that was paid out' }),
      isTotalled: true,
    },
    fee: {
      label: 'Fee',
      field: money({ sign: 'any', doc: 'fee that was taken from the amount' }),
      isTotalled: true,
    },
    net: {
      label: 'Net',
      field: money({ sign: 'any', doc: 'amount less fee: the change of the balance' }),
      isTotalled: true,
    },
    balance: {
      label: 'Balance',
      field: money({ sign: 'any', doc: 'amount that the merchant is owed afterwards' }),
    },
    booked_at: { label: 'Booked', field: datetime({ doc: 'when it was booked (UTC)' }) },
  },
  totals: {
    opening: money({ sign: 'any', doc: 'balance before the first day' }),
    closing: money({ sign: 'any', doc: 'balance at the end of the last day' }),
  },
})
