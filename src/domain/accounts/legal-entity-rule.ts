import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { LegalEntityOwnerRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { hasChanged, refreshAccountsOf } from './processing-status.js'

/**
 * Rule of legal entities. Spec: "Legal entity". The shares of the owners are checked together, after the whole tree
 * is written.
 */
export const legalEntityRule: Rule<typeof resources.legal_entity> = {
  async create(work, input) {
    return await checkingOwnersOf(work, undefined, () =>
      work.createPlainly(resources.legal_entity, { ...input }),
    )
  },

  async update(work, row, input) {
    const changed = await checkingOwnersOf(work, row.id, () =>
      work.updatePlainly(resources.legal_entity, row, { ...input }),
    )
    if (hasChanged(work.model.get('legal_entity'), row, changed)) await refreshAccountsOf(work, row.id)
    return changed
  },

  /** Owners and stakeholders are deleted with their entity. */
  async delete(work, row) {
    for (const kind of [resources.legal_entity_owner, resources.stakeholder])
      for (const person of await work.findBy(kind, 'legal_entity_id', row.id))
        await work.deletePlainly(kind, person)
    await work.deletePlainly(resources.legal_entity, row)
    await refreshAccountsOf(work, row.id)
  },
}

/** Rule of owners. Spec: "Legal entity owner". The shares of one legal entity sum to 100 % at most. */
export const legalEntityOwnerRule: Rule<typeof resources.legal_entity_owner> = {
  async create(work, input) {
    const row = await work.createPlainly(resources.legal_entity_owner, { ...input })
    await afterShareChange(work, row)
    return row
  },

  async update(work, row, input) {
    const changed = await work.updatePlainly(resources.legal_entity_owner, row, { ...input })
    if (hasChanged(work.model.of(resources.legal_entity_owner), row, changed))
      await afterShareChange(work, row)
    return changed
  },

  async delete(work, row) {
    await work.deletePlainly(resources.legal_entity_owner, row)
    if (row.legal_entity_id) await refreshAccountsOf(work, row.legal_entity_id)
  },
}

/** 100 %, in the ten-thousandths of a percent that `ownership` is stored in. */
export const WHOLE = 1_000_000

/** Whether shares, in ten-thousandths of a percent, sum to more than 100 %. */
export function exceedsWhole(shares: readonly (number | null)[]): boolean {
  return shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) > WHOLE
}

/**
 * Writes a legal entity with its owners, and checks their shares when the tree is complete. While a share moves from
 * one owner to another, the sum may exceed 100 %. Throws `InvalidAttributes`.
 */
async function checkingOwnersOf<T>(
  work: Work,
  legalEntityId: string | undefined,
  write: () => Promise<T>,
): Promise<T> {
  const entities = new Map(legalEntityId ? [[legalEntityId, {}]] : [])
  work.openTrees.set(resources.legal_entity, entities)
  try {
    const written = await write()
    for (const id of entities.keys()) await checkShares(work, id, 'owners')
    return written
  } finally {
    work.openTrees.delete(resources.legal_entity)
  }
}

/**
 * Checks the shares of a legal entity after a share has changed: immediately, or at the end if its whole tree is being
 * written. Throws `InvalidAttributes`.
 */
async function afterShareChange(work: Work, { legal_entity_id: id }: LegalEntityOwnerRow): Promise<void> {
  if (id === null) return
  const entities = work.openTrees.get(resources.legal_entity)
  if (entities) entities.set(id, {})
  else await checkShares(work, id, 'ownership')
  await refreshAccountsOf(work, id)
}

async function checkShares(work: Work, legalEntityId: string, attribute: string): Promise<void> {
  await work.lock(resources.legal_entity, legalEntityId)
  const owners = await work.findBy(resources.legal_entity_owner, 'legal_entity_id', legalEntityId)
  if (exceedsWhole(owners.map((owner) => owner.ownership))) {
    throw invalidAttributes({ [attribute]: 'Shares of the owners exceed 100' })
  }
}
