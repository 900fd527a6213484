import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import { type ProcessingStatus, type Requirements, statusAfterChange } from './processing-status.js'

/** What is stored of a processing account's papers. */
export async function requirementsOf(work: Work, account: AccountRow): Promise<Requirements> {
  const legalEntity = account.legal_entity_id
    ? await work.find('legal_entity', account.legal_entity_id)
    : undefined
  const owners = legalEntity ? await work.findBy('legal_entity_owner', 'legal_entity_id', legalEntity.id) : []
  const methods = await work.findBy('payment_method', 'account_id', account.id)
  return {
    legalEntity: legalEntity !== undefined,
    owners: owners.length,
    bankAccounts: methods.filter((method) => method.type === 'bank_account').length,
  }
}

/**
 * Brings an account's processing status up to date after what belongs to it changed. An account that is just being
 * created has none yet; its own rule gives it the first.
 */
export async function refreshAccount(work: Work, id: string): Promise<void> {
  const account = await work.find('account', id)
  if (account?.type !== 'processing' || account.processing__status === null) return
  await refreshStatus(work, account)
}

/** The same for the accounts behind a legal entity. */
export async function refreshAccountsOf(work: Work, legalEntityId: string): Promise<void> {
  for (const account of await work.findBy('account', 'legal_entity_id', legalEntityId))
    await refreshAccount(work, account.id)
}

/** Gives a processing account the status its papers call for; answers the row afterwards. */
export async function refreshStatus(work: Work, account: AccountRow): Promise<AccountRow> {
  const status = statusAfterChange(account.processing__status, await requirementsOf(work, account))
  if (status === account.processing__status) return account
  if (account.processing__status !== null) announceStatus(work, account.id, status)
  return await work.change('account', account.id, { processing__status: status })
}

/** Spec: "Events", trigger `processing_status`. */
export function announceStatus(work: Work, id: string, status: ProcessingStatus): void {
  work.emit({
    trigger: 'processing_status',
    object: 'processing_account',
    id,
    value: status,
    processingId: id,
  })
}
