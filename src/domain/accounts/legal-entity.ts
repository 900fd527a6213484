import type { Rule } from '../../engine/core/write/work.js'
import { judgingOwnersOf } from './ownership.js'
import { refreshAccountsOf } from './refresh-status.js'

/** Spec: "Legal entity". Its owners' shares are judged together, after the whole tree is written. */
export const legalEntityRule: Rule<'legal_entity'> = {
  async create(work, input) {
    return await judgingOwnersOf(work, undefined, () => work.createPlainly('legal_entity', { ...input }))
  },

  async update(work, row, input) {
    const changed = await judgingOwnersOf(work, row.id, () =>
      work.updatePlainly('legal_entity', row, { ...input }),
    )
    await refreshAccountsOf(work, row.id)
    return changed
  },

  async delete(work, row) {
    await work.deletePlainly('legal_entity', row)
    await refreshAccountsOf(work, row.id)
  },
}
