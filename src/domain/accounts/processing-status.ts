import { changedColumns } from '../../engine/core/write/nested.js'
import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import type { ResourceModel } from '../../model/resource-model.js'
import { resources } from '../../resources/resource-table.js'
import type { Row } from '../../schema/columns.js'

export type ProcessingStatus = NonNullable<AccountRow['processing__status']>

/** Parts that a processing account needs before its review. */
export interface AccountRequirements {
  readonly legalEntity: boolean
  readonly owners: number
  readonly bankAccounts: number
}

/** Names the missing parts of a processing account, in a fixed order; empty when it is complete. */
export function missingParts({ legalEntity, owners, bankAccounts }: AccountRequirements): string[] {
  const missing: string[] = []
  if (!legalEntity) missing.push('legal entity')
  if (owners === 0) missing.push('owner of the legal entity')
  if (bankAccounts === 0) missing.push('bank account')
  return missing
}

/**
 * The status of a processing account after its data changed. An operator's decision stays, but `action_needed` and
 * `resubmit` end with a change. See docs/money.md, "Processing accounts".
 */
export function statusAfterChange(
  current: ProcessingStatus | null,
  requirements: AccountRequirements,
): ProcessingStatus {
  switch (current) {
    case 'active':
    case 'in_review':
    case 'inactive':
      return current
    case null:
    case 'incomplete':
    case 'pending':
    case 'action_needed':
    case 'resubmit':
      return missingParts(requirements).length === 0 ? 'pending' : 'incomplete'
  }
}

/**
 * The statuses to which an operator may change each status. `incomplete` and `pending` follow from the requirements
 * alone.
 */
const ALLOWED: Readonly<Record<ProcessingStatus, readonly ProcessingStatus[]>> = {
  incomplete: ['inactive'],
  pending: ['active', 'in_review', 'action_needed', 'resubmit', 'inactive'],
  in_review: ['active', 'action_needed', 'resubmit', 'inactive'],
  action_needed: ['active', 'in_review', 'resubmit', 'inactive'],
  resubmit: ['active', 'in_review', 'action_needed', 'inactive'],
  active: ['in_review', 'action_needed', 'resubmit', 'inactive'],
  inactive: ['active', 'in_review', 'action_needed', 'resubmit'],
}

/**
 * Reason why an operator cannot give an account a status; undefined if they can. See docs/money.md, "Processing
 * accounts".
 */
export function statusRefusal(
  from: ProcessingStatus,
  to: ProcessingStatus,
  missing: readonly string[],
): string | undefined {
  const isAllowed = ALLOWED[from].includes(to)
  if (isAllowed && (to !== 'active' || missing.length === 0)) return undefined
  const parts = missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''
  return `Cannot change from ${from} to ${to}${parts}`
}

/** Finds out which of its requirements a processing account has: legal entity, owners and bank accounts. */
export async function requirementsOf(work: Work, account: AccountRow): Promise<AccountRequirements> {
  const legalEntity = account.legal_entity_id
    ? await work.find(resources.legal_entity, account.legal_entity_id)
    : undefined
  const owners = legalEntity
    ? await work.findBy(resources.legal_entity_owner, 'legal_entity_id', legalEntity.id)
    : []
  const methods = await work.findBy(resources.payment_method, 'account_id', account.id)
  return {
    legalEntity: legalEntity !== undefined,
    owners: owners.length,
    bankAccounts: methods.filter((method) => method.type === 'bank_account').length,
  }
}

/**
 * Updates a processing account's status after its bank accounts or legal entity changed. An account that is just
 * being created has no status yet; its own rule sets the first.
 */
export async function refreshAccount(work: Work, id: string): Promise<void> {
  const account = await work.find(resources.account, id)
  if (account?.type !== 'processing' || account.processing__status === null) return
  await refreshStatus(work, account)
}

/** Updates the status of all accounts of a legal entity, including those that the caller does not see. */
export async function refreshAccountsOf(work: Work, legalEntityId: string): Promise<void> {
  await work.asSystem(async () => {
    for (const account of await work.findBy(resources.account, 'legal_entity_id', legalEntityId))
      await refreshAccount(work, account.id)
  })
}

/** Whether an update has changed an object: sending the same values again does not end `action_needed`. */
export function hasChanged(resource: ResourceModel, before: Row, after: Row): boolean {
  return Object.keys(changedColumns(resource, before, after)).length > 0
}

/** Sets the status of a processing account that follows from its requirements; returns the new row. */
export async function refreshStatus(work: Work, account: AccountRow): Promise<AccountRow> {
  const status = statusAfterChange(account.processing__status, await requirementsOf(work, account))
  if (status === account.processing__status) return account
  if (account.processing__status !== null) announceStatus(work, account.id, status)
  return await work.change(resources.account, account.id, { processing__status: status })
}

/** Fires the event `processing_status`. Spec: "Events". */
export function announceStatus(work: Work, id: string, status: ProcessingStatus): void {
  work.emit({
    trigger: 'processing_status',
    object: resources.processing_account,
    id,
    value: status,
    processingId: id,
  })
}
