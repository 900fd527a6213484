import { integer, money, ref } from '../../schema/field.js'
import { declareReport } from './report.js'

const bucket = (label: string, doc: string) =>
  ({ label, field: money({ sign: 'any', doc }), isTotalled: true }) as const

export const agingReport = declareReport({
  name: 'aging',
  summary: 'show what customers owe on invoices at the end of a day, by the days since it was due',
  rows: { of: 'receivables' },
  columns: {
    customer_id: { label: 'Customer', field: ref('customer', { doc: 'the customer' }) },
    processing_id: { label: 'Account', field: ref('processing_account', { doc: 'the processing account' }) },
    invoices: {
      label: 'Invoices',
      field: integer({ doc: 'invoices with an amount due' }),
      isTotalled: true,
    },
    not_due: bucket('Not due', 'due on the last day or later, or without a due date'),
    days_30: bucket('1-30 days', 'due 1 to 30 days before the last day'),
    days_60: bucket('31-60 days', 'due 31 to 60 days before'),
    days_90: bucket('61-90 days', 'due 61 to 90 days before'),
    older: bucket('Over 90 days', 'due more than 90 days before'),
    total: bucket('Total', 'sum of all due amounts'),
  },
})
