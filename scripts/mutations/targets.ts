import ts from 'typescript'

/** Source files that must be correct, and the tests that must detect faults in them. Both are globs. */
export interface Target {
  readonly name: string
  readonly sources: readonly string[]
  /** Test files in the order in which they run: those that find the most faults in the shortest time come first. */
  readonly specs: readonly string[]
}

/** Test files for all targets about money: tests of payments and of gateways. */
const PAYMENTS = [
  'test/domain/payments/*.test.ts',
  'test/gateways/**/*.test.ts',
  'test/domain/payments/**/*.test.ts',
]

/** All targets. A file that matches several targets belongs to the first. */
export const TARGETS: readonly Target[] = [
  {
    name: 'money',
    sources: ['src/schema/money.ts'],
    specs: [
      'test/schema/money.test.ts',
      'test/schema/read.test.ts',
      'test/schema/wire.test.ts',
      'test/domain/**/fees.test.ts',
      'test/domain/payments/taking.test.ts',
      'test/domain/billing/line-item.test.ts',
    ],
  },
  {
    name: 'ledger',
    sources: ['src/domain/ledger/**/*.ts'],
    specs: [
      'test/domain/ledger/*.test.ts',
      ...PAYMENTS,
      'test/domain/disputes/**/*.test.ts',
      'test/domain/funding/**/*.test.ts',
    ],
  },
  {
    name: 'payments',
    sources: ['src/domain/payments/**/*.ts', 'src/domain/risk/**/*.ts'],
    specs: [
      ...PAYMENTS,
      'test/domain/disputes/**/*.test.ts',
      'test/domain/funding/**/*.test.ts',
      'test/domain/explain/**/*.test.ts',
      'test/domain/billing/collecting/*.test.ts',
      'test/domain/reconciliation/*.test.ts',
      'test/domain/risk/*.test.ts',
      'test/installation/rotate-keys.test.ts',
      'test/domain/accounts/*.test.ts',
      'test/engine/core/bulk-payments.test.ts',
      'test/engine/core/environments.test.ts',
      'test/engine/core/idempotency.test.ts',
      'test/domain/access/client-key*.test.ts',
      'test/domain/verify/*.test.ts',
    ],
  },
  {
    name: 'disputes',
    sources: ['src/domain/disputes/**/*.ts'],
    specs: ['test/domain/disputes/**/*.test.ts', ...PAYMENTS],
  },
  {
    name: 'funding',
    sources: ['src/domain/funding/**/*.ts'],
    specs: [
      'test/domain/funding/**/*.test.ts',
      'test/domain/disputes/**/*.test.ts',
      ...PAYMENTS,
      'test/domain/verify/*.test.ts',
    ],
  },
  {
    name: 'invoices',
    sources: ['src/domain/allocations/**/*.ts', 'src/domain/billing/**/*.ts'],
    specs: [
      'test/domain/allocations/*.test.ts',
      'test/domain/billing/*.test.ts',
      'test/domain/billing/**/*.test.ts',
      'test/domain/payments/**/*.test.ts',
      'test/support/audit/invoices.test.ts',
      'test/engine/core/invoice-queries.test.ts',
      'test/http/interface/schedules.test.ts',
    ],
  },
  {
    name: 'idempotency',
    sources: ['src/engine/core/**/idempotency*.ts', 'src/engine/core/**/complete.ts'],
    specs: [
      'test/engine/core/idempotency.test.ts',
      'test/domain/payments/remote.test.ts',
      'test/engine/core/bulk-payments.test.ts',
      'test/engine/core/writes.test.ts',
      'test/engine/jobs/delete-old-answers.test.ts',
      'test/domain/access/client-key.test.ts',
      'test/installation/**/*.test.ts',
      'test/domain/batch/*.test.ts',
    ],
  },
  {
    name: 'access',
    sources: [
      'src/domain/access/**/*.ts',
      'src/engine/core/**/authorize.ts',
      'src/engine/core/**/principal.ts',
      'src/engine/core/**/scope.ts',
    ],
    specs: [
      'test/engine/core/scope*.test.ts',
      'test/domain/access/*.test.ts',
      'test/engine/core/access/*.test.ts',
      'test/engine/core/admin/*.test.ts',
      'test/engine/core/environments.test.ts',
      'test/http/interface/checkout-page.test.ts',
      'test/http/oauth/*.test.ts',
      'test/http/authorization.test.ts',
      'test/http/credentials.test.ts',
    ],
  },
]

/**
 * Files below a folder that match the globs, each once, in the order of the globs. Throws if a glob matches no file.
 */
export function filesOf(root: string, globs: readonly string[]): string[] {
  const files = globs.flatMap((glob) => {
    const found = ts.sys.readDirectory(root, ['.ts'], undefined, [glob]).sort()
    if (found.length === 0) throw new Error(`scripts/mutations/targets.ts: nothing matches ${glob}`)
    return found.map((file) => file.slice(root.length + 1))
  })
  return [...new Set(files)]
}
