import type { InputByName } from '../../engine/core/write/work.js'
import type { JsonObject } from '../../schema/json.js'

type MethodInput = InputByName['payment_method']
type MethodType = 'card' | 'bank_account'

const REQUIRED = {
  card: ['card_number', 'expiry'],
  bank_account: ['account_number', 'routing_number', 'account_type'],
} as const

/**
 * What is wrong with the groups of a new payment method: the one of its type must be filled, the other's must not
 * be sent. Answers `details`, nothing when all is well. Spec: "Operations on specific resources", card and bank
 * account payments.
 */
export function groupProblems(type: MethodType, input: MethodInput): JsonObject | undefined {
  const problems = foreignGroup(type, input) ?? {}
  const group: Readonly<Record<string, unknown>> = input[type] ?? {}
  const missing = REQUIRED[type].filter((name) => (group[name] ?? null) === null)
  if (missing.length > 0) problems[type] = Object.fromEntries(missing.map((name) => [name, 'Required']))
  return Object.keys(problems).length > 0 ? problems : undefined
}

/** Refuses the group of the other type; one with nothing in it is as good as not sent. */
export function foreignGroup(type: MethodType, input: MethodInput): JsonObject | undefined {
  const other = type === 'card' ? 'bank_account' : 'card'
  const isSent = Object.values(input[other] ?? {}).some((value) => (value ?? null) !== null)
  return isSent ? { [other]: `Must not be sent with type ${type}` } : undefined
}
