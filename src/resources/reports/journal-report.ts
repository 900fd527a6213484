import { date, datetime, money, ref, text } from '../../schema/field.js'
import { declareReport } from './report.js'

export const journalReport = declareReport({
  name: 'journal',
  summary: 'show every posting of the journal',
  rows: { of: 'postings' },
  columns: {
    booked_at: { label: 'Booked', field: datetime({ doc: 'when it was booked (UTC)' }) },
    date: { label: 'Date', field: date({ doc: 'day of the booking' }) },
    processing_id: {
      label: 'Account',
      field: ref('processing_account', { doc: 'the processing account; null for postings without one' }),
    },
    kind: {
      label: 'What',
      field: text({ doc: 'type of the transaction, or exception, or settlement_line' }),
    },
    object_id: { label: 'Booked for', field: text({ doc: 'id of the object that it was booked for' }) },
    from_account: { label: 'From', field: text({ doc: 'book account that the amount leaves' }) },
    to_account: { label: 'To', field: text({ doc: 'book account that the amount enters' }) },
    amount: { label: 'Amount', field: money({ doc: 'how much' }), isTotalled: true },
    currency: { label: 'Currency', field: text({ doc: 'currency of the amount' }) },
    posting_id: { label: 'Posting', field: text({ doc: 'id of the posting' }) },
  },
})
