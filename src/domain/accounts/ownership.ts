import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'

/** All of a legal entity, in the ten-thousandths of a percent that `ownership` is stored in. */
export const WHOLE = 1_000_000

/** Whether shares (ten-thousandths of a percent) are more than there is to own. */
export function exceedsWhole(shares: readonly (number | null)[]): boolean {
  return shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) > WHOLE
}

/**
 * Writes a legal entity with its owners and judges their shares when the tree is complete: moving a share from one owner
 * to another may exceed the whole in between. Throws `InvalidAttributes`.
 */
export async function judgingOwnersOf<T>(
  work: Work,
  legalEntityId: string | undefined,
  write: () => Promise<T>,
): Promise<T> {
  const entities = new Map(legalEntityId ? [[legalEntityId, {}]] : [])
  work.openTrees.set('legal_entity', entities)
  try {
    const written = await write()
    for (const id of entities.keys()) await judge(work, id, 'owners')
    return written
  } finally {
    work.openTrees.delete('legal_entity')
  }
}

/** Judges the owners of a legal entity after one of them was written. Throws `InvalidAttributes`. */
export async function judgeOwnersOf(work: Work, legalEntityId: string): Promise<void> {
  const entities = work.openTrees.get('legal_entity')
  if (entities) entities.set(legalEntityId, {})
  else await judge(work, legalEntityId, 'ownership')
}

async function judge(work: Work, legalEntityId: string, attribute: string): Promise<void> {
  await work.lock('legal_entity', legalEntityId)
  const owners = await work.findBy('legal_entity_owner', 'legal_entity_id', legalEntityId)
  if (exceedsWhole(owners.map((owner) => owner.ownership))) {
    throw invalidAttributes({ [attribute]: 'Shares of the owners exceed 100' })
  }
}
