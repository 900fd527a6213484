import { integer, option } from '@oclif/core/flags'

/**
 * Flag for the environments whose webhooks may have addresses on this machine. Addresses in private
 * networks are never allowed.
 */
const loopback = option({
  options: ['none', 'test', 'both'] as const,
  default: 'test',
  env: 'PAYCTL_WEBHOOK_LOOPBACK',
  summary: 'environments whose webhooks may have an address on this machine',
})()

const timeout = integer({
  default: 30,
  min: 1,
  max: 30,
  env: 'PAYCTL_WEBHOOK_TIMEOUT',
  summary: 'seconds within which receivers of webhooks must begin to answer',
  helpValue: '<number>',
})

/** Flags of the commands that deliver to webhooks. */
export const deliveryFlags = { 'webhook-loopback': loopback, 'webhook-timeout': timeout }

export interface DeliveryChoices {
  readonly 'webhook-loopback': 'none' | 'test' | 'both'
  readonly 'webhook-timeout': number
}

export function deliveryOptions(choices: DeliveryChoices) {
  return { loopback: choices['webhook-loopback'], timeout: choices['webhook-timeout'] * 1000 }
}
