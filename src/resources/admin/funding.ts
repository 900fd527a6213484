import { adminOperation } from '../../schema/admin-operation.js'
import { date, datetime, flag, integer, money, oneOf, ref, rows, text } from '../../schema/field.js'

const input = {
  date: date({ doc: 'settle up to the end of this business day (in New York); up to now unless given' }),
}

const output = {
  processing_id: ref('processing_account', { doc: 'the processing account' }),
  period: text({ doc: 'the business day, or the month of a bill' }),
  type: oneOf(['deposit', 'reversal'], { doc: 'whether money goes to the account or is taken from it' }),
  amount: money({ doc: 'how much' }),
  fee: money({ doc: 'the fees in it' }),
  transactions: integer({ doc: 'how many transactions are in it' }),
} as const

export const planFundingOperation = adminOperation({
  name: 'plan_funding',
  method: 'GET',
  path: 'admin/funding/plan',
  summary: 'show what a funding run will do, to the cent',
  moves: 'nothing',
  least: 'viewer',
  input,
  object: 'funding_plan',
  output: {
    until: datetime({ doc: 'everything due until this time is included (UTC)' }),
    transactions: integer({ doc: 'how many transactions are in all of them' }),
    deposits: rows(output, { doc: 'deposits, reversals and bills that will be made' }),
  },
})

export const runFundingOperation = adminOperation({
  name: 'run_funding',
  method: 'POST',
  path: 'admin/funding/run',
  summary: 'capture what was processed before the cut-off, and make the deposits that are due',
  moves: 'funding',
  least: 'manager',
  input: {
    ...input,
    units: integer({
      min: 1,
      max: 1_000_000,
      doc: 'how many short units of work at most; the next request continues from there',
    }),
  },
  object: 'funding_run',
  output: {
    until: datetime({ doc: 'everything due until this time is done (UTC)' }),
    finished: flag({ doc: 'whether all of it is done' }),
    captured: integer({ doc: 'how many transactions were captured' }),
    transactions: integer({ doc: 'how many went into a deposit or a bill' }),
    deposits: rows(
      { transaction_id: ref('transaction', { doc: 'the deposit, reversal or bill' }), ...output },
      { doc: 'what was completed' },
    ),
  },
})
