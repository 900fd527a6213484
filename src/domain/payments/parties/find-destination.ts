import { sql } from 'kysely'
import { invalidAttributes, unavailable } from '../../../engine/core/request/api-error.js'
import { RecordedRefusal } from '../../../engine/core/write/recorded-refusal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Environment } from '../../../engine/store/database/store.js'
import type { AccountRow, ProcessingSettingsRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { noteRefusal } from '../../attempts/attempts.js'
import type { MethodKind } from '../../ledger/fees.js'
import type { TransactionInput } from './new-transaction.js'
import { relatedId } from './related-objects.js'

/** The processing account that a transaction goes to. Throws `InvalidAttributes` when none is named or found. */
export async function findDestination(
  work: Work,
  input: TransactionInput,
  customer: AccountRow | undefined,
): Promise<AccountRow> {
  const destination = chooseDestination({
    requested: await relatedId(work, input, 'processing', 'processing_id'),
    primary: customer?.primary_processing_id,
    scope: work.principal.processingIds,
  })
  switch (destination.kind) {
    case 'named': {
      const account = await work.find(resources.processing_account, destination.id)
      if (!account) throw invalidAttributes({ processing_id: 'Not found' })
      return account
    }
    case 'missing':
      throw invalidAttributes({ processing_id: 'Required' })
    case 'default':
      return await defaultAccount(work)
  }
}

/** The environment's default account; in test it is made when it is first needed. Throws `InvalidAttributes`. */
export async function defaultAccount(work: Work): Promise<AccountRow> {
  const account = await findDefault(work)
  if (account) return account
  if (work.environment === 'live') throw invalidAttributes({ processing_id: 'Required' })
  // Two concurrent first payments must not both create the account.
  await waitForName(work.tx, 'default processing account')
  return (await findDefault(work)) ?? (await createDefault(work))
}

/**
 * Default account: the one that an operator named, otherwise in test the oldest, in live none. Throws
 * `ServiceUnavailable` if its row does not match its seal: payments must not go to another account instead.
 */
export async function findDefault(work: Work): Promise<AccountRow | undefined> {
  for (;;) {
    const [first = work.environment === 'live' ? undefined : (await work.tx.run(oldestAccount, {}))[0]] =
      await work.tx.run(namedDefault, {})
    if (!first) return undefined
    const account = await work.find(resources.processing_account, first.id)
    // The account was deleted after the query; the next query does not find it.
    if (!account) continue
    const problem = await work.sealProblem('accounts', account.id, account)
    if (problem === undefined) return account
    throw unavailable(`${problem}. It takes no payments that name no processing account`, RETRY_AFTER)
  }
}

/** Seconds until a client may try again. */
const RETRY_AFTER = 300

/** The account marked as default; a unique index allows only one. */
const namedDefault = prepared<Record<never, never>, { id: string }>((db) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('is_default', '=', sql.lit(1))
    .where('deleted_at', 'is', null)
    .limit(1),
)

/** The oldest processing account: the first row of an index, equally fast for any number of accounts. */
const oldestAccount = prepared<Record<never, never>, { id: string }>((db) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1),
)

/** The test environment's default account, made when it is first needed. */
async function createDefault(work: Work): Promise<AccountRow> {
  const account = await work.create(resources.processing_account, {
    type: 'processing',
    name: 'Default test account',
    description: 'Made by itself: takes test payments that name no processing account',
    processing: { industry: 'testing' },
  })
  return await work.change(resources.account, account.id, { processing__status: 'active' })
}

/**
 * Destination of a payment: a named account, the default of the environment, or none. See docs/money.md, "Before a
 * payment is taken".
 */
export type Destination =
  | { readonly kind: 'named'; readonly id: string }
  | { readonly kind: 'default' }
  | { readonly kind: 'missing' }

export interface Naming {
  /** The transaction's `processing_id`. */
  readonly requested: string | null | undefined
  /** The customer's `primary_processing_id`. */
  readonly primary: string | null | undefined
  /** Processing accounts that the caller is narrowed to; undefined means all of the environment. */
  readonly scope: readonly string[] | undefined
}

/**
 * Chooses the first that is set: `processing_id`, the customer's primary account, the key's only account, the
 * environment's default.
 */
export function chooseDestination({ requested, primary, scope }: Naming): Destination {
  const id = requested ?? primary ?? (scope?.length === 1 ? scope[0] : undefined)
  if (id) return { kind: 'named', id }
  return scope ? { kind: 'missing' } : { kind: 'default' }
}

/**
 * Whether the status of a processing account permits payments: `active` in both environments, in test also `pending`.
 */
export function mayProcess(environment: Environment, status: AccountRow['processing__status']): boolean {
  return status === 'active' || (environment === 'test' && status === 'pending')
}

/**
 * Error for a payment to an account that may not take any. The refusal is recorded for a day, and `payctl status` shows
 * it.
 */
export function cannotProcess(
  account: Pick<AccountRow, 'id' | 'processing__status'>,
  missing: readonly string[],
): RecordedRefusal {
  const { id, processing__status: status } = account
  const parts = missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''
  const { description, details } = invalidAttributes({
    processing_id: `The processing account cannot take payments: it is ${status ?? 'incomplete'}${parts}`,
  })
  const record = async (work: Work) => {
    await noteRefusal(work, { purpose: 'incomplete_account', subject: id, what: id })
  }
  return new RecordedRefusal('InvalidAttributes', description, {}, record, details)
}

/** Reason why the account's settings refuse a kind of method; undefined when it is enabled. */
export function disabledKind(settings: ProcessingSettingsRow, kind: MethodKind): JsonObject | undefined {
  if (kind === 'bank_account')
    return settings.bank_account_processing_enabled === 1 ? undefined : disabled('Bank account')
  if (settings.card_processing_enabled !== 1) return disabled('Card')
  return settings[`card_processing__${kind}`] === 1
    ? undefined
    : disabled(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} card`)
}

/**
 * Error details of an amount above the smallest limit of the accounts concerned; undefined if the amount is allowed.
 */
export function exceededLimit(
  amount: Minor,
  limits: readonly (Minor | null | undefined)[],
): JsonObject | undefined {
  const smallest = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY))
  return amount > smallest
    ? { amount: `Exceeds the transaction limit of ${formatMoney(smallest)}` }
    : undefined
}

function disabled(what: string): JsonObject {
  return { payment_method: `${what} payments are not enabled for this processing account` }
}
