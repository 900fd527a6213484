import type { Environment } from '../../engine/store/database/store.js'
import type { AccountRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import type { JsonObject } from '../../schema/json.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { MethodKind } from '../ledger/fees.js'

/** Whether a processing account may take payments by its status: live ones must be active, in test pending is enough. */
export function mayProcess(environment: Environment, status: AccountRow['processing__status']): boolean {
  return status === 'active' || (environment === 'test' && status === 'pending')
}

/** Why an account may not take payments, in words that say what to do. */
export function cannotProcess(
  status: AccountRow['processing__status'],
  missing: readonly string[],
): JsonObject {
  const parts = missing.length > 0 ? ` (missing: ${missing.join(', ')})` : ''
  return {
    processing_id: `The processing account cannot take payments: it is ${status ?? 'incomplete'}${parts}`,
  }
}

/** Why a kind of method is refused by the account's settings; nothing when it is enabled. */
export function disabledKind(settings: ProcessingSettingsRow, kind: MethodKind): JsonObject | undefined {
  if (kind === 'bank_account')
    return settings.bank_account_processing_enabled === 1 ? undefined : disabled('Bank account')
  if (settings.card_processing_enabled !== 1) return disabled('Card')
  return settings[`card_processing__${kind}`] === 1
    ? undefined
    : disabled(`${kind.charAt(0).toUpperCase()}${kind.slice(1)} card`)
}

/** Why an amount is refused: it is above the smallest limit of the accounts concerned. */
export function exceededLimit(
  amount: Minor,
  limits: readonly (Minor | null | undefined)[],
): JsonObject | undefined {
  const smallest = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY))
  return amount > smallest
    ? { amount: `Exceeds the transaction limit of ${formatMoney(smallest)}` }
    : undefined
}

function disabled(what: string): JsonObject {
  return { payment_method: `${what} payments are not enabled for this processing account` }
}
