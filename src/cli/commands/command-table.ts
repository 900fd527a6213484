import type { Command } from '@oclif/core/command'
import { resources } from '../../resources/resource-table.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { activityCommands } from './activity/activity-commands.js'
import { adminCommands } from './admin.js'
import { Api } from './api.js'
import { Autocomplete, wordsCommand } from './autocomplete/autocomplete-command.js'
import { Backup } from './backup-command.js'
import { BatchRun } from './batch/batch-run.js'
import { BatchResults } from './batch/results.js'
import { BatchResume } from './batch/resume.js'
import { BooksAccept, BooksKey } from './books/books-commands.js'
import { ClockAdvance, ClockSet } from './clock/clock-commands.js'
import { ConfigGet, ConfigList, ConfigUnset } from './config/config-commands.js'
import { configSetCommand } from './config/config-set.js'
import { Console } from './console-command.js'
import { Demo } from './demo/demo-command.js'
import { actionCommand } from './derived/action.js'
import { createCommand } from './derived/create-command.js'
import { deleteCommand } from './derived/delete.js'
import { getCommand } from './derived/get-command.js'
import { listCommand } from './derived/list-objects.js'
import { answeringCommands } from './derived/next-commands.js'
import { topicOf } from './derived/topic.js'
import { updateCommand } from './derived/update-command.js'
import { DisputesAccept } from './disputes/disputes-accept.js'
import { DisputesContest } from './disputes/disputes-contest.js'
import { Doctor } from './doctor-command.js'
import { ExceptionsResolve } from './exceptions/exceptions-resolve.js'
import { FixturesRun } from './fixtures/fixtures-run.js'
import { FundingRun } from './funding/funding-run.js'
import { gatewayCommands } from './gateways/gateway-commands.js'
import { GatewaysAdd } from './gateways/gateways-add.js'
import { GatewaysRemove } from './gateways/gateways-remove.js'
import { GatewaysRoute } from './gateways/gateways-route.js'
import { GatewaysTest } from './gateways/gateways-test.js'
import { GatewaysUpdate } from './gateways/gateways-update.js'
import { environmentCommand } from './help/environment.js'
import { ExitCodes } from './help/exit-codes-page.js'
import { HelpFilters } from './help/filters-page.js'
import { HelpFlags } from './help/flags-page.js'
import { HelpCommand } from './help/help-command.js'
import { HelpTestCards } from './help/test-cards-page.js'
import { ShowInvoice } from './invoices/invoices-show.js'
import { PayInvoice } from './invoices/pay-invoice.js'
import { KeysCreate, KeysRevoke, KeysRotate } from './keys/key-commands.js'
import { MailDeliver, MailOff, MailTest, mailCommands } from './mail/mail-commands.js'
import { MailSet } from './mail/mail-set.js'
import { MailShow } from './mail/mail-show.js'
import { Migrate } from './migrate-command.js'
import { OauthConnect } from './oauth/connect.js'
import { OauthPassword, OauthToken, oauthCommands } from './oauth/oauth-commands.js'
import { Open } from './open-command.js'
import { Openapi } from './openapi.js'
import { OperatorsRequireMapping, OperatorsToken, operatorCommands } from './operators/operator-commands.js'
import { CompleteAccount } from './processing-accounts/complete-command.js'
import { ProfilesList, ProfilesRemove, ProfilesUse } from './profiles/profile-commands.js'
import { ProfilesAdd } from './profiles/profiles-add.js'
import { reportCommands } from './reports/report-command.js'
import { Restore } from './restore-command.js'
import { Serve } from './serve.js'
import { simulateCommand } from './simulate/simulate-command.js'
import { ShowStatus } from './status-command.js'
import { TOPICS } from './topics.js'
import { Capture, Void } from './transactions/change.js'
import { Explain } from './transactions/explain-command.js'
import { Find } from './transactions/find-command.js'
import { Ledger } from './transactions/ledger-command.js'
import { Pay } from './transactions/pay-command.js'
import { Refund } from './transactions/refund-command.js'
import { Review } from './transactions/review.js'
import { VaultForget } from './vault/forget.js'
import { VaultExport, VaultImport } from './vault/vault-copies.js'
import { VaultRotate } from './vault/vault-rotate.js'
import { Verify } from './verify-command.js'
import { Watch } from './watch.js'
import { WebhooksDeliver } from './webhooks/deliver.js'
import { WebhooksListen } from './webhooks/listen.js'
import { WebhooksLogs } from './webhooks/logs.js'
import { WebhooksVerifySignature } from './webhooks/verify-signature.js'
import { webhookSwitches } from './webhooks/webhook-switches.js'
import { WebhooksReplay } from './webhooks/webhooks-replay.js'
import { WebhooksTrigger } from './webhooks/webhooks-trigger.js'
import { Whoami } from './whoami.js'

/**
 * Every command by its id. Derived commands are created on demand, because a process runs only one command.
 */
export const COMMANDS: Record<string, Command.Class> = {
  api: Api,
  autocomplete: Autocomplete,
  backup: Backup,
  'batch:results': BatchResults,
  'batch:resume': BatchResume,
  'batch:run': BatchRun,
  'books:accept': BooksAccept,
  'books:key': BooksKey,
  'clock:advance': ClockAdvance,
  'clock:set': ClockSet,
  'config:get': ConfigGet,
  'config:list': ConfigList,
  'config:unset': ConfigUnset,
  console: Console,
  demo: Demo,
  'disputes:accept': DisputesAccept,
  'disputes:contest': DisputesContest,
  doctor: Doctor,
  'fixtures:run': FixturesRun,
  'funding:run': FundingRun,
  'gateways:add': GatewaysAdd,
  'gateways:remove': GatewaysRemove,
  'gateways:route': GatewaysRoute,
  'gateways:test': GatewaysTest,
  'exceptions:resolve': ExceptionsResolve,
  'gateways:update': GatewaysUpdate,
  help: HelpCommand,
  'help:exit-codes': ExitCodes,
  'help:filters': HelpFilters,
  'help:flags': HelpFlags,
  'help:test-cards': HelpTestCards,
  'invoices:pay': PayInvoice,
  'invoices:show': ShowInvoice,
  'keys:create': KeysCreate,
  'keys:revoke': KeysRevoke,
  'keys:rotate': KeysRotate,
  'mail:deliver': MailDeliver,
  'mail:off': MailOff,
  'mail:set': MailSet,
  'mail:show': MailShow,
  'mail:test': MailTest,
  migrate: Migrate,
  'oauth:connect': OauthConnect,
  'oauth:token': OauthToken,
  'oauth:users:password': OauthPassword,
  open: Open,
  openapi: Openapi,
  'processing-accounts:complete': CompleteAccount,
  'profiles:add': ProfilesAdd,
  'profiles:list': ProfilesList,
  'profiles:remove': ProfilesRemove,
  'profiles:use': ProfilesUse,
  'operators:require-mapping': OperatorsRequireMapping,
  'operators:token': OperatorsToken,
  restore: Restore,
  serve: Serve,
  'simulate:chargeback': simulateCommand('chargeback'),
  'simulate:dispute-lost': simulateCommand('dispute_lost'),
  'simulate:dispute-won': simulateCommand('dispute_won'),
  'simulate:inquiry': simulateCommand('inquiry'),
  'simulate:return': simulateCommand('return'),
  status: ShowStatus,
  'transactions:capture': Capture,
  'transactions:explain': Explain,
  'transactions:find': Find,
  'transactions:ledger': Ledger,
  'transactions:pay': Pay,
  'transactions:refund': Refund,
  'transactions:review': Review,
  'transactions:void': Void,
  'vault:export': VaultExport,
  'vault:forget': VaultForget,
  'vault:import': VaultImport,
  'vault:rotate': VaultRotate,
  verify: Verify,
  watch: Watch,
  'webhooks:deliver': WebhooksDeliver,
  'webhooks:listen': WebhooksListen,
  'webhooks:logs': WebhooksLogs,
  'webhooks:replay': WebhooksReplay,
  'webhooks:trigger': WebhooksTrigger,
  'webhooks:verify-signature': WebhooksVerifySignature,
  whoami: Whoami,
}

derive('autocomplete:words', () => wordsCommand(COMMANDS, TOPICS))
derive('config:set', () => configSetCommand(COMMANDS))
derive('help:environment', () => environmentCommand(COMMANDS))
derive('disputes:show', () => getCommand(resources.dispute, 'disputes', 'show', answeringCommands))
derive('keys:list', () => listCommand(resources.api_key, 'keys'))
for (const commands of [
  activityCommands,
  oauthCommands,
  adminCommands,
  gatewayCommands,
  reportCommands,
  mailCommands,
  operatorCommands,
  webhookSwitches,
])
  for (const [id, make] of Object.entries(commands)) derive(id, make)
for (const resource of registry.all.filter(({ admin }) => !admin)) {
  const topic = topicOf(resource)
  derive(`${topic}:list`, () => listCommand(resource, topic))
  derive(`${topic}:get`, () => getCommand(resource, topic))
  // No command is derived for a method that the resource always refuses.
  const { POST, PUT, DELETE } = resource.refuses ?? {}
  if (POST === undefined) derive(`${topic}:create`, () => createCommand(resource, topic))
  if (PUT === undefined) derive(`${topic}:update`, () => updateCommand(resource, topic))
  if (DELETE === undefined) derive(`${topic}:delete`, () => deleteCommand(resource, topic))
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    const verb = name.replaceAll('_', '-')
    // Commands written by hand take precedence.
    if (`${topic}:${verb}` in COMMANDS) continue
    derive(`${topic}:${verb}`, () => actionCommand(resource, name, action, `${topic} ${verb}`))
  }
}

function derive(id: string, make: () => Command.Class): void {
  let made: Command.Class | undefined
  Object.defineProperty(COMMANDS, id, {
    enumerable: true,
    get() {
      made ??= make()
      return made
    },
  })
}
