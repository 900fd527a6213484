import { option } from '@oclif/core/flags'

/** Where webhooks may lead to this machine itself; private networks they never lead to. */
export const loopbackFlag = option({
  options: ['none', 'test', 'both'] as const,
  default: 'test',
  env: 'PAYCTL_WEBHOOK_LOOPBACK',
  summary: 'environments whose webhooks may lead to this machine itself',
})()
