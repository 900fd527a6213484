import { sql } from 'kysely'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import { ownAccount } from '../../engine/core/request/principal.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { JsonObject } from '../../schema/json.js'
import { CURRENCY } from '../../schema/money.js'
import type { Input, InputFor } from '../../schema/types.js'
import { payoutsIn } from '../ledger/payouts.js'
import { clientAccount } from './client-account.js'
import { refuseOpenAffairs } from './open-affairs.js'
import type { MoveDays } from './org-rule.js'
import { dropNumbers } from './payment-method-rule.js'
import { newSettings, refuseNamedSettings, refuseOtherSettings } from './processing-settings-rule.js'
import {
  announceStatus,
  hasChanged,
  missingParts,
  type ProcessingStatus,
  refreshStatus,
  requirementsOf,
  statusAfterChange,
  statusRefusal,
} from './processing-status.js'

/**
 * Rule of accounts and their views, customers and processing accounts. Spec: "Account". `settings` are the default
 * processing settings, which a new processing account gets unless others are sent.
 */
export function accountRule(settings: Input, moveDays: MoveDays): Rule<typeof resources.account> {
  return {
    handles: ['legal_entity'],

    async create(work, sent) {
      const input = clientAccount(work.principal, sent)
      if (!input.type) throw invalidAttributes({ type: 'Required' })
      const problems = accountProblems(input.type, input)
      if (problems) throw invalidAttributes(problems)
      refuseNamedSettings(work, input.processing?.settings, undefined, ['processing', 'settings'])
      if (input.type === 'customer')
        return await work.createPlainly(resources.account, { ...input, ...primaryOf(work, input) })
      refuseSimulatedLive(work, input)
      const plain = await work.createPlainly(resources.account, {
        ...input,
        currency: input.currency ?? CURRENCY,
      })
      const own = plain.processing_settings_id === null ? await newSettings(work, settings) : {}
      // The account is due immediately, so that the job for monthly bills sets the first month to bill.
      const row = await work.change(resources.account, plain.id, { ...own, bill_due_at: work.now })
      return await firstStatus(work, row)
    },

    async update(work, row, input) {
      const problems = accountProblems(row.type ?? 'customer', input)
      if (problems) throw invalidAttributes(problems)
      return row.type === 'processing'
        ? await updateProcessing(work, moveDays, row, input)
        : await work.updatePlainly(resources.account, row, { ...input })
    },

    actions: { set_default: { perform: async (work, row) => await setDefault(work, row.id) } },

    async delete(work, row) {
      if (row.type === 'processing' && (await hasTransactions(work, row.id))) {
        throw invalidAttributes({ id: 'A processing account with transactions is not deleted' })
      }
      if (row.type === 'customer') await refuseOpenAffairs(work, row.id)
      for (const method of await work.findBy(resources.payment_method, 'account_id', row.id)) {
        await dropNumbers(work, method)
        await work.deletePlainly(resources.payment_method, method)
      }
      await work.deletePlainly(resources.account, row)
    },
  }
}

async function updateProcessing(
  work: Work,
  moveDays: MoveDays,
  row: AccountRow,
  input: InputFor<typeof resources.account>,
): Promise<AccountRow> {
  refuseEmptied(input)
  const path = ['processing', 'settings']
  refuseOtherSettings(work, input.processing?.settings, row.processing_settings_id, path)
  await refusePayouts(work, row, input)
  const changed = await work.updatePlainly(resources.account, row, { ...input })
  if (changed.parent_org_id !== row.parent_org_id) await moveDays(work, row.id)
  const requested = input.processing?.status
  if (!requested || requested === row.processing__status)
    return hasChanged(work.model.get('account'), row, changed) ? await refreshStatus(work, changed) : changed
  await refuseStatus(work, changed, row.processing__status ?? 'incomplete', requested)
  announceStatus(work, row.id, requested)
  return changed
}

/** Refuses to remove the status of a processing account, or its whole `processing`. */
function refuseEmptied({ processing }: InputFor<typeof resources.account>): void {
  if (processing === null) throw invalidAttributes({ processing: 'Required' })
  if (processing?.status === null) throw invalidAttributes({ processing: { status: 'Required' } })
}

function refuseSimulatedLive(
  { environment }: Work,
  { processing }: InputFor<typeof resources.account>,
): void {
  if (environment === 'live' && processing?.payouts === 'simulated')
    throw invalidAttributes({ processing: { payouts: 'Must be gateway or none in live' } })
}

/**
 * Refuses to change payouts from simulated to a gateway's, or back, once the account has transactions. The two kinds
 * of books cannot be mixed.
 */
async function refusePayouts(
  work: Work,
  row: AccountRow,
  input: InputFor<typeof resources.account>,
): Promise<void> {
  refuseSimulatedLive(work, input)
  const payouts = input.processing?.payouts
  if (payouts === undefined) return
  const isSimulated = (value: AccountRow['processing__payouts']) =>
    payoutsIn(work.environment, value) === 'simulated'
  if (isSimulated(payouts) === isSimulated(row.processing__payouts)) return
  if (await hasTransactions(work, row.id))
    throw invalidAttributes({ processing: { payouts: 'Cannot be changed once it has transactions' } })
}

/** Makes an account the default of its environment. If two requests do so at the same time, the later one wins. */
async function setDefault(work: Work, id: string): Promise<AccountRow> {
  await waitForName(work.tx, 'default processing account')
  for (const { id: other } of await work.tx.run(defaultAccounts, {}))
    if (other !== id) await work.change(resources.account, other, { is_default: 0 })
  return await work.change(resources.account, id, { is_default: 1 })
}

const defaultAccounts = prepared<Record<never, never>, { id: string }>((db) =>
  db.selectFrom('accounts').select('id').where('is_default', '=', sql.lit(1)).where('deleted_at', 'is', null),
)

/**
 * Sets the first status of a new account. It follows from the requirements, unless the request names a status to which
 * an operator could change it.
 */
async function firstStatus(work: Work, row: AccountRow): Promise<AccountRow> {
  const requested = row.processing__status
  if (requested === null) return await refreshStatus(work, row)
  const first = statusAfterChange(null, await requirementsOf(work, row))
  if (requested !== first) await refuseStatus(work, row, first, requested)
  return row
}

async function refuseStatus(
  work: Work,
  row: AccountRow,
  from: ProcessingStatus,
  to: ProcessingStatus,
): Promise<void> {
  const refusal = statusRefusal(from, to, missingParts(await requirementsOf(work, row)))
  if (refusal) throw invalidAttributes({ processing: { status: refusal } })
}

/**
 * The primary processing account of a new customer. If the caller's key has one processing account, it is that
 * account. With a key of several, the request must name one.
 */
function primaryOf({ principal }: Work, input: { primary_processing_id?: string | null }) {
  const attribute = 'primary_processing_id'
  return { [attribute]: ownAccount(principal, input.primary_processing_id, attribute) }
}

/** `details` of the sent attributes that only the other type of account has; undefined when there are none. */
function accountProblems(
  type: 'customer' | 'processing',
  input: InputFor<typeof resources.account>,
): JsonObject | undefined {
  const problems: JsonObject = {}
  if (type === 'customer') {
    if (isFilled(input.processing)) problems.processing = 'Only for processing accounts'
    for (const name of ['legal_entity', 'legal_entity_id', 'currency'] as const)
      if (input[name]) problems[name] = 'Only for processing accounts'
  } else if (input.primary_processing_id) problems.primary_processing_id = 'Only for customers'
  return Object.keys(problems).length > 0 ? problems : undefined
}

function isFilled(group: object | null | undefined): boolean {
  return Object.values(group ?? {}).some((value) => value !== null && value !== undefined)
}

/** Whether a processing account has transactions, declined ones included. */
async function hasTransactions(work: Work, processingId: string): Promise<boolean> {
  const found = await work.tx.run(oneTransaction, { processingId })
  return found.length > 0
}

const oneTransaction = prepared<{ processingId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('processing_id', '=', param('processingId'))
    .where('deleted_at', 'is', null)
    .limit(1),
)
