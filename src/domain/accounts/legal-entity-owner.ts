import type { Rule } from '../../engine/core/write/work.js'
import { judgeOwnersOf } from './ownership.js'
import { refreshAccountsOf } from './refresh-status.js'

/** Spec: "Legal entity owner". Owners of one legal entity hold no more than all of it. */
export const legalEntityOwnerRule: Rule<'legal_entity_owner'> = {
  async create(work, input) {
    const row = await work.createPlainly('legal_entity_owner', { ...input })
    if (row.legal_entity_id) {
      await judgeOwnersOf(work, row.legal_entity_id)
      await refreshAccountsOf(work, row.legal_entity_id)
    }
    return row
  },

  async update(work, row, input) {
    const changed = await work.updatePlainly('legal_entity_owner', row, { ...input })
    if (row.legal_entity_id) {
      await judgeOwnersOf(work, row.legal_entity_id)
      await refreshAccountsOf(work, row.legal_entity_id)
    }
    return changed
  },

  async delete(work, row) {
    await work.deletePlainly('legal_entity_owner', row)
    if (row.legal_entity_id) await refreshAccountsOf(work, row.legal_entity_id)
  },
}
