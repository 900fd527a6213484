import { adminOperation } from '../../schema/admin-operation.js'
import { date, datetime, flag, integer, money, oneOf, ref, rows, text } from '../../schema/field.js'

const skipped = rows(
  {
    billing_schedule_id: ref('billing_schedule', { doc: 'the schedule' }),
    slot: date({ doc: 'the day that is not billed' }),
    reason: text({ doc: 'why' }),
  },
  { doc: 'days that cannot be billed (the first 1,000)' },
)

const invoices = rows(
  {
    billing_schedule_id: ref('billing_schedule', { doc: 'the schedule' }),
    invoice_id: ref('invoice', { doc: 'the invoice, once it is made' }),
    customer_id: ref('customer', { doc: 'who owes' }),
    due_date: date({ doc: 'the day that is billed, on which it is due' }),
    amount: money({ sign: 'any', doc: 'how much' }),
  },
  { doc: 'invoices (the first 1,000)' },
)

const billed = {
  count: integer({ doc: 'how many invoices' }),
  amount: money({ sign: 'any', doc: 'their total' }),
  invoices,
  skipped_count: integer({ doc: 'how many days of schedules cannot be billed' }),
  skipped,
} as const

const collected = {
  payment_count: integer({ doc: 'how many automatic payments are tried' }),
  payment_amount: money({ doc: 'their total' }),
  payments: rows(
    {
      invoice_id: ref('invoice', { doc: 'the invoice, once it is made' }),
      transaction_id: ref('transaction', { doc: 'the payment, once it is taken' }),
      amount: money({ doc: 'how much' }),
      outcome: oneOf(['processed', 'authorized', 'processing', 'declined', 'refused'], {
        doc: 'what became of it; refused: it never got to the gateway',
      }),
      reason: text({ doc: 'why it was declined or refused' }),
    },
    { doc: 'automatic payments (the first 1,000)' },
  ),
} as const

const until = datetime({ doc: 'everything due until this time is included (UTC)' })

export const planBillingOperation = adminOperation({
  name: 'plan_billing',
  method: 'GET',
  path: 'admin/billing/plan',
  summary: 'show what a billing run will do, to the cent',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object: 'billing_plan',
  output: { until, ...billed, ...collected },
})

export const runBillingOperation = adminOperation({
  name: 'run_billing',
  method: 'POST',
  path: 'admin/billing/run',
  summary: 'make the invoices of schedules that are due, and collect what is due by automatic payments',
  moves: 'billing',
  least: 'manager',
  input: {
    units: integer({
      min: 1,
      max: 1_000_000,
      doc: 'how many short units of work at most; the next request continues from there',
    }),
  },
  object: 'billing_run',
  output: { until, finished: flag({ doc: 'whether all of it is done' }), ...billed, ...collected },
})

export const backfillBillingOperation = adminOperation({
  name: 'backfill_billing',
  method: 'POST',
  path: 'admin/billing/backfill',
  summary: 'make the missing invoices of a schedule for past days, even before it was created',
  moves: 'billing',
  least: 'manager',
  input: {
    billing_schedule_id: ref('billing_schedule', { required: true, doc: 'the schedule' }),
    from: date({ required: true, doc: 'the first day; never before the start date of the schedule' }),
    collect: flag({
      doc: 'collect these invoices by automatic payments; otherwise they stay open until somebody pays them',
    }),
  },
  object: 'billing_backfill',
  output: { ...billed, ...collected },
})
