import { date, integer, money, number, rows, text } from '../../schema/field.js'
import { declareReport } from './report.js'

export const summaryReport = declareReport({
  name: 'summary',
  summary: 'show volume, success, declines by code, refunds and disputes by day, week or month',
  rows: { of: 'sums', byAccount: false, plot: 'volume' },
  columns: {
    date: { label: 'Date', field: date({ doc: 'first day of the period of the row' }) },
    payments: {
      label: 'Payments',
      field: integer({ doc: 'payments that were taken, less those that were voided' }),
      measure: { of: 'count', types: ['payment'], from: 'processor_clearing', to: 'merchant_payable' },
    },
    volume: {
      label: 'Volume',
      field: money({ sign: 'any', doc: 'their amounts' }),
      measure: { of: 'amount', types: ['payment'], from: 'processor_clearing', to: 'merchant_payable' },
    },
    declined: {
      label: 'Declined',
      field: integer({ doc: 'payments made on these days that were declined' }),
      measure: { of: 'declines' },
    },
    outages: {
      label: 'Outages',
      field: integer({
        doc: 'payments made on these days that did not reach a bank: the gateway was unreachable, or refused them itself',
      }),
      measure: { of: 'outages' },
    },
    success: {
      label: 'Success %',
      field: number({ doc: 'payments that were taken, in percent of those and the declined ones' }),
      measure: { of: 'share', part: 'payments', beside: 'declined' },
    },
    refunds: {
      label: 'Refunds',
      field: integer({ doc: 'refunds and credits' }),
      measure: {
        of: 'count',
        types: ['refund', 'credit'],
        from: 'merchant_payable',
        to: 'processor_clearing',
      },
    },
    refunded: {
      label: 'Refunded',
      field: money({ sign: 'any', doc: 'their amounts' }),
      measure: {
        of: 'amount',
        types: ['refund', 'credit'],
        from: 'merchant_payable',
        to: 'processor_clearing',
      },
    },
    disputes: {
      label: 'Disputes',
      field: integer({ doc: 'chargebacks and bank returns that took money from merchants' }),
      measure: {
        of: 'count',
        types: ['chargeback'],
        from: 'merchant_payable',
        to: 'processor_clearing',
      },
    },
    disputed: {
      label: 'Disputed',
      field: money({ sign: 'any', doc: 'amount that they took from the merchants' }),
      measure: {
        of: 'amount',
        types: ['chargeback'],
        from: 'merchant_payable',
        to: 'processor_clearing',
      },
    },
    won: {
      label: 'Won back',
      field: money({ sign: 'any', doc: 'amount that came back by disputes that were won' }),
      measure: {
        of: 'amount',
        types: ['chargeback_reversal'],
        to: 'merchant_payable',
        from: 'processor_clearing',
      },
    },
  },
  more: {
    declines: rows(
      {
        code: text({ doc: 'status code' }),
        reason: text({ doc: 'the code in words' }),
        payments: integer({ doc: 'payments that were declined with it' }),
        amount: money({ doc: 'their amounts' }),
      },
      { doc: 'declined payments by code, the most frequent first' },
    ),
  },
})
