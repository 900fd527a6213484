import { date, money, ref } from '../../schema/field.js'
import { declareReport } from './report.js'

export const feesReport = declareReport({
  name: 'fees',
  summary: 'show fees earned, costs of processors, losses, and the margin, by account and month, week or day',
  rows: { of: 'sums', byAccount: true, plot: 'margin' },
  columns: {
    date: { label: 'Date', field: date({ doc: 'first day of the period of the row' }) },
    processing_id: {
      label: 'Account',
      field: ref('processing_account', { doc: 'the processing account; null for postings without one' }),
    },
    volume: {
      label: 'Volume',
      field: money({ sign: 'any', doc: 'amounts of the payments that were taken' }),
      measure: { of: 'amount', types: ['payment'], from: 'processor_clearing', to: 'merchant_payable' },
    },
    earned: {
      label: 'Earned',
      field: money({ sign: 'any', doc: 'fees of merchants and payers, less those that were given back' }),
      measure: { of: 'amount', to: 'fee_income' },
    },
    cost: {
      label: 'Processor cost',
      field: money({ sign: 'any', doc: 'fees that processors kept' }),
      measure: { of: 'amount', from: 'processor_cost' },
    },
    lost: {
      label: 'Losses',
      field: money({ sign: 'any', doc: 'amounts that banks took beyond those of the payments' }),
      measure: { of: 'amount', from: 'chargeback_loss' },
    },
    margin: {
      label: 'Margin',
      field: money({ sign: 'any', doc: 'fees earned, less cost and losses' }),
      measure: { of: 'rest', from: 'earned', less: ['cost', 'lost'] },
    },
  },
})
