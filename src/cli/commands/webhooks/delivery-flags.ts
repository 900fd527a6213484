import { integer, option } from '@oclif/core/flags'

/** Flag for the environments whose webhooks may lead to this machine. Webhooks may never lead to private networks. */
const loopback = option({
  options: ['none', 'test', 'both'] as const,
  default: 'test',
  env: 'PAYCTL_WEBHOOK_LOOPBACK',
  summary: 'environments whose webhooks may lead to this machine itself',
})()

const timeout = integer({
  default: 30,
  min: 1,
  max: 30,
  env: 'PAYCTL_WEBHOOK_TIMEOUT',
  summary: 'seconds until receivers of webhooks must have begun to answer',
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
