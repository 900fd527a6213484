import type { AccountRow } from '../../engine/store/database/tables.js'

export type ProcessingStatus = NonNullable<AccountRow['processing__status']>

/** What a processing account has to show before it may be looked at. */
export interface Requirements {
  readonly legalEntity: boolean
  readonly owners: number
  readonly bankAccounts: number
}

/** Names what a processing account lacks, in the order it is asked for; empty when it is complete. */
export function missingParts({ legalEntity, owners, bankAccounts }: Requirements): string[] {
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
export function statusAfterChange(
  current: ProcessingStatus | null,
  requirements: Requirements,
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

/** What an operator may make of each status; `incomplete` and `pending` follow from the papers alone. */
const ARROWS: Readonly<Record<ProcessingStatus, readonly ProcessingStatus[]>> = {
  incomplete: ['inactive'],
  pending: ['active', 'in_review', 'action_needed', 'resubmit', 'inactive'],
  in_review: ['active', 'action_needed', 'resubmit', 'inactive'],
  action_needed: ['active', 'in_review', 'resubmit', 'inactive'],
  resubmit: ['active', 'in_review', 'action_needed', 'inactive'],
  active: ['in_review', 'action_needed', 'resubmit', 'inactive'],
  inactive: ['active', 'in_review', 'action_needed', 'resubmit'],
}

/** Why an operator cannot give an account a status; nothing when they can. Money: "Processing accounts". */
export function statusRefusal(
  from: ProcessingStatus,
  to: ProcessingStatus,
  missing: readonly string[],
): string | undefined {
  const isDrawn = ARROWS[from].includes(to)
  if (isDrawn && (to !== 'active' || missing.length === 0)) return undefined
  const parts = missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''
  return `Cannot change from ${from} to ${to}${parts}`
}
