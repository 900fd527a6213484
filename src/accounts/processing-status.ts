import type { AccountRow } from '../store/tables.js'

export type ProcessingStatus = NonNullable<AccountRow['processing__status']>

/** What a processing account has to show before it may be looked at. */
export interface Papers {
  readonly legalEntity: boolean
  readonly owners: number
  readonly bankAccounts: number
}

/** Names what a processing account lacks, in the order it is asked for; empty when it is complete. */
export function missingParts({ legalEntity, owners, bankAccounts }: Papers): string[] {
  const missing: string[] = []
  if (!legalEntity) missing.push('legal entity')
  if (owners === 0) missing.push('owner of the legal entity')
  if (bankAccounts === 0) missing.push('bank account')
  return missing
}

/**
 * The status of a processing account after its data changed. What the operator decided stands, save that
 * `action_needed` and `resubmit` are answered by a change. Money: "Processing accounts".
 */
export function statusAfterChange(current: ProcessingStatus | null, papers: Papers): ProcessingStatus {
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
      return missingParts(papers).length === 0 ? 'pending' : 'incomplete'
  }
}
