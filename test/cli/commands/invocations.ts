import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { topicOf } from '../../../src/cli/commands/derived/topic.js'
import { registry } from '../../../src/cli/terminal/declarations/declared-registry.js'
import type { LocalRights } from '../../../src/cli/terminal/local/local-rights.js'
import { exampleOf, type World } from '../../engine/core/endpoints/world.js'

export interface FlagOfManifest {
  readonly summary?: string
  readonly options?: readonly string[]
  readonly helpValue?: string
  readonly helpGroup?: string
  readonly type: string
  readonly env?: string
}
export interface CommandOfManifest {
  readonly rights?: Exclude<LocalRights, 'anybody'>
  readonly summary?: string
  readonly usage?: string
  readonly hidden?: boolean
  readonly examples?: readonly string[]
  readonly args: Readonly<Record<string, FlagOfManifest & { required?: boolean; description?: string }>>
  readonly flags: Readonly<Record<string, FlagOfManifest>>
}

/** Every command in oclif's manifest. */
export const MANIFEST: Readonly<Record<string, CommandOfManifest>> = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
).commands

/** The fixtures file from the documentation. */
const EXAMPLE = fileURLToPath(new URL('../../../docs/fixtures.json', import.meta.url))

/** Commands that run until they are stopped, or wait for a browser. */
export const ENDLESS = ['serve', 'watch', 'webhooks:listen', 'oauth:connect']

/** Arguments of hand-written commands, after the command's name. */
function byHand(world: World, folder: string): Readonly<Record<string, readonly string[]>> {
  const named = (name: string) => world.get(name) ?? ''
  const transaction = named('transaction')
  return {
    api: ['GET', '/customers'],
    autocomplete: ['bash'],
    'autocomplete:words': ['--', 'payctl tr'],
    backup: [join(folder, 'backup')],
    'batch:resume': ['customers.csv', join(folder, 'customers.csv')],
    'batch:run': [join(folder, 'customers.csv'), '--as', 'customer'],
    'billing:backfill': ['--billing-schedule-id', named('billing_schedule'), '--from', '2026-01-01'],
    // One line only: other commands add lines, so the full list could have one page or two.
    'activity:list': ['--limit', '1'],
    'activity:show': [named('activity')],
    'clock:advance': ['1d'],
    'clock:set': ['real'],
    'config:get': ['output'],
    'config:set': ['utc', 'no'],
    'config:unset': ['utc'],
    'disputes:add': ['--event', 'chargeback', '--transaction-id', transaction, '--dispute', 'dp_1'],
    'disputes:accept': [named('dispute'), '--yes'],
    'disputes:contest': [named('dispute'), '--text', 'It was delivered', '--yes'],
    'disputes:show': [named('dispute')],
    'fixtures:run': [EXAMPLE],
    'gateways:notifications:show': [named('gateway_notification')],
    'gateways:notifications:handle': [named('gateway_notification')],
    'exceptions:resolve': [named('exception'), '--resolution', 'ignore', '--reason', 'a tip'],
    'gateways:add': [
      'peer',
      '--name',
      'third',
      '--base-url',
      'https://pay.example.com',
      '--secret-key-file',
      join(folder, 'customers.csv'),
    ],
    'settlements:show': [named('settlement')],
    'settlements:lines:show': [named('settlement_line')],
    'exceptions:show': [named('exception')],
    'gateways:pause': ['other'],
    'gateways:remove': ['other'],
    'gateways:resume': ['other'],
    'gateways:route': ['--default', 'other'],
    'gateways:show': ['other'],
    'gateways:update': ['other', '--numbers', 'tokenize'],
    'gateways:test': ['other'],
    'invoices:pay': [named('invoice'), '--card', '4242424242424242', '--expiry', '12/39', '--amount', '1'],
    'keys:rotate': [named('api_key')],
    'keys:revoke': [named('api_key')],
    'mail:retry': [named('mail_message')],
    'mail:set': ['--reminder-days', '5'],
    'mail:show': [named('mail_message')],
    'mail:test': ['--to', 'ada@example.com'],
    'maintenance:on': ['--message', 'Back at ten'],
    'oauth:redirects:add': ['--org-id', named('org'), '--uri', 'https://shop.example.com/done'],
    'oauth:users:add': ['--org-id', named('org'), '--email', 'ada@example.com'],
    'oauth:users:password': [named('oauth_user')],
    'oauth:users:remove': [named('oauth_user')],
    'oauth:redirects:remove': [named('oauth_redirect')],
    'oauth:revoke': [named('oauth_grant')],
    open: ['--print'],
    'operators:add': ['--name', 'Ben', '--email', 'ben@example.com', '--role', 'viewer'],
    'operators:disable': [named('operator')],
    'operators:enable': [named('operator')],
    'operators:sessions:end': [named('operator_session')],
    'operators:show': [named('operator')],
    'operators:token': [named('operator')],
    'operators:update': [named('operator'), '--name', 'Ada'],
    'profiles:add': ['desk', '--home', folder],
    'profiles:remove': ['desk'],
    'profiles:use': ['default'],
    restore: [join(folder, 'backup')],
    'simulate:chargeback': [transaction],
    'simulate:dispute-lost': [transaction],
    'simulate:dispute-won': [transaction],
    'simulate:inquiry': [transaction],
    'simulate:return': [transaction],
    'transactions:find': ['29.99'],
    'transactions:pay': [
      '--amount',
      '5',
      '--card',
      '4242424242424242',
      '--expiry',
      '12/39',
      '--processing',
      String(world.get('processing_account')),
    ],
    'transactions:review': [transaction, '--allow'],
    'vault:export': [join(folder, 'keys')],
    'vault:purge': ['--older-than', '400d'],
    'vault:import': [join(folder, 'keys')],
    'webhooks:deliver': ['--once'],
    'webhooks:trigger': ['payment'],
    'webhooks:verify-signature': [
      '--id',
      'evt_1',
      '--timestamp',
      '1',
      '--signature',
      'v1,a',
      '--body',
      join(folder, 'customers.csv'),
    ],
  }
}

/** Secrets given by variables, because commands in live refuse secrets on the command line. */
export const SECRETS = { PAYCTL_REFRESH_TOKEN: 'nothing', PAYCTL_WEBHOOK_SECRET: 'whsec_AAAA' }

/** Arguments of a command that acts on the objects of a world, and changes as little as possible. */
export function invocation(id: string, world: World, folder: string): readonly string[] {
  const command = MANIFEST[id]
  if (!command) throw new Error(`There is no command ${id}`)
  const words = [...id.split(':'), ...(byHand(world, folder)[id] ?? derived(id, command, world, folder))]
  const end = words.indexOf('--')
  const dry = 'dry-run' in command.flags ? ['--dry-run'] : []
  return end === -1 ? [...words, ...dry] : [...words.slice(0, end), ...dry, ...words.slice(end)]
}

function derived(id: string, command: CommandOfManifest, world: World, folder: string): readonly string[] {
  const resource = registry.all.find((one) => topicOf(one) === id.split(':')[0])
  const named = Object.keys(command.args).map((name) => {
    const isPayment = name === 'payment' || name === 'transaction'
    return world.get(isPayment ? 'transaction' : (resource?.name ?? '')) ?? 'none'
  })
  if (!('data' in command.flags)) return named
  const body = id.endsWith(':create') && resource ? exampleOf(resource, world) : { attrs: { checked: true } }
  const file = join(folder, `${id.replaceAll(':', '-')}.json`)
  writeFileSync(file, JSON.stringify(body))
  return [...named, '--data', file]
}
