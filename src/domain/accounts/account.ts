import { invalidAttributes } from '../../engine/core/request/errors.js'
import { ownAccount } from '../../engine/core/request/principal.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import type { Input } from '../../schema/types.js'
import { accountProblems } from './account-problems.js'
import { dropNumbers } from './drop-numbers.js'
import type { MoveDays } from './org.js'
import { newSettings, refuseOtherSettings } from './processing-settings-of.js'
import { missingParts, type ProcessingStatus, statusAfterChange, statusRefusal } from './processing-status.js'
import { announceStatus, refreshStatus, requirementsOf } from './refresh-status.js'
import { hasTransactions } from './transactions-of.js'

/**
 * The rule of an account; its views share it. Spec: "Account". `settings` are the attributes of processing
 * settings of which nothing was sent: every processing account gets settings.
 */
export function accountRule(settings: Input, moveDays: MoveDays): Rule<'account'> {
  return {
    async create(work, input) {
      if (!input.type) throw invalidAttributes({ type: 'Required' })
      const problems = accountProblems(input.type, input)
      if (problems) throw invalidAttributes(problems)
      if (input.type === 'customer')
        return await work.createPlainly('account', { ...input, ...primaryOf(work, input) })
      const plain = await work.createPlainly('account', { ...input })
      const own = plain.processing_settings_id === null ? await newSettings(work, settings) : {}
      // From now on its months are looked at when they end.
      const row = await work.change('account', plain.id, { ...own, bill_due_at: work.now })
      return await firstStatus(work, row)
    },

    async update(work, row, input) {
      const problems = accountProblems(row.type ?? 'customer', input)
      if (problems) throw invalidAttributes(problems)
      if (row.type === 'processing')
        refuseOtherSettings(work, input.processing?.settings, ['processing', 'settings'])
      const changed = await work.updatePlainly('account', row, { ...input })
      if (row.type !== 'processing') return changed
      if (changed.parent_org_id !== row.parent_org_id) await moveDays(work, row.id)
      const requested = input.processing?.status
      if (!requested || requested === row.processing__status) return await refreshStatus(work, changed)
      await refuseStatus(work, changed, row.processing__status ?? 'incomplete', requested)
      announceStatus(work, row.id, requested)
      return changed
    },

    async delete(work, row) {
      if (row.type === 'processing' && (await hasTransactions(work, row.id))) {
        throw invalidAttributes({ id: 'A processing account with transactions is not deleted' })
      }
      for (const method of await work.findBy('payment_method', 'account_id', row.id)) {
        await dropNumbers(work, method)
        await work.deletePlainly('payment_method', method)
      }
      await work.deletePlainly('account', row)
    },
  }
}

/** A new account has the status that its papers call for, or what the operator may make of that at once. */
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

/** A customer that a narrowed key makes belongs to its only processing account, or must say to which. */
function primaryOf({ principal }: Work, input: { primary_processing_id?: string | null }) {
  const attribute = 'primary_processing_id'
  return { [attribute]: ownAccount(principal, input.primary_processing_id, attribute) }
}
