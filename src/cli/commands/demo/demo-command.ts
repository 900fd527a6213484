import process from 'node:process'
import { integer } from '@oclif/core/flags'
import type { App } from '../../../app.js'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import { seededChance } from '../../../platform/chance.js'
import { systemClock } from '../../../platform/clock.js'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../../terminal/client/client.js'
import { type Ask, runScenario, type Scenario } from '../../terminal/client/scenario.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { Refusal, UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { openLocalApp } from '../../terminal/local/local-client.js'
import { OWNER_OF_ENVIRONMENT } from '../../terminal/local/local-rights.js'
import { Progress } from '../../terminal/output/progress.js'
import { valuesOf } from '../../terminal/output/render.js'
import { demoReceivers } from './demo-receivers.js'
import { OWNER_EMAIL } from './demo-shop.js'
import { makeYear } from './year.js'

const ENVIRONMENT = 'test'
const DAYS = 365

export class Demo extends PayctlCommand {
  static override summary = 'fill the empty test environment with a shop and a year of its history'
  static override description =
    'Customers, cards and bank accounts, payments, refunds, declines, authorizations, invoices, a club that is billed monthly, ' +
    'disputes, deposits every day, payment links, webhooks of which one fails, an owner and a cashier. All are made through the interface, on a clock that runs through the last year. ' +
    'It refuses an environment that has data, and never works in live.'
  static readonly rights = OWNER_OF_ENVIRONMENT
  static override usage = 'demo [--seed <number>] [flags]'
  static override examples = ['payctl demo', 'PAYCTL_HOME=~/demo payctl demo --seed 7', 'payctl demo --json']
  static override flags = {
    seed: integer({
      min: 0,
      max: 4_294_967_295,
      default: 1,
      summary: 'seed of the random data: the same number makes the same shop',
      helpValue: '<number>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Demo)
    if (flags.env !== ENVIRONMENT)
      throw new UsageError('A demo is made in the test environment only; add --env test')
    const settings = await this.localSettings(Demo.rights)
    const until = systemClock.now()
    const time = { now: until }
    const causes: unknown[] = []
    const app = await openLocalApp(settings, (error) => causes.push(error), {
      clock: { now: () => time.now },
      delivery: { http: demoReceivers },
    })
    const progress =
      process.stderr.isTTY && formatOf(flags) === 'table'
        ? new Progress(DAYS, process.stderr, systemClock)
        : undefined
    try {
      const scenario: Scenario<JsonObject> = async (send) => {
        await expectEmpty(send)
        const processing = await makeYear({
          until,
          days: DAYS,
          chance: seededChance(flags.seed),
          send,
          progress: () => progress?.add(1, 0),
          deliver: async () => {
            await (await app.environment(ENVIRONMENT)).deliver(new AbortController().signal)
          },
          reach: async (moment) => {
            time.now = moment
            await (await app.environment(ENVIRONMENT)).runDueJobs()
          },
        })
        progress?.end()
        return await summaryOf(send, { seed: flags.seed, processing, until })
      }
      await this.print(flags, await runScenario(scenario, sender(app, causes)), shapeless)
      this.say(
        flags,
        `\nNow try: payctl status, payctl transactions list, payctl invoices list --where status=overdue;\nin a browser: payctl serve --console, and beside it payctl console --as ${OWNER_EMAIL}`,
      )
    } finally {
      progress?.end()
      await app.close()
    }
  }
}

/**
 * Returns a function that sends requests as the owner at the terminal, or as the cashier `by` in the console. It returns
 * the answer, also for a decline. It throws the first of `causes` if there is one, and any other refusal.
 */
function sender(app: App, causes: unknown[]) {
  return async (request: ClientRequest, by?: string): Promise<ApiResponse> => {
    const { owner } = await import('../../../engine/core/request/principal.js')
    const { core } = await app.environment(ENVIRONMENT)
    const response = await core.handle({
      ...request,
      principal: by === undefined ? owner : { kind: 'operator', id: by, role: 'cashier', manage: false },
      through: by === undefined ? 'terminal' : 'console',
    })
    const [cause] = causes.splice(0)
    if (cause !== undefined) throw cause
    const isDecline = response.body.error_type === 'TransactionDeclined'
    if (response.status !== 200 && !isDecline) throw new Refusal(response)
    return response
  }
}

/**
 * Throws a `Refusal` unless the test environment is empty. Other data must not mix with the demo, and no
 * request of the demo may leave this machine.
 */
async function expectEmpty(send: Ask): Promise<void> {
  for (const plural of ['accounts', 'transactions', 'webhooks']) {
    const [first] = valuesOf(await send('GET', `/${plural}?limit=1&fields=id`)) ?? []
    if (first) throw occupied(`The test environment has ${plural} already`)
  }
  const { routes } = await send('GET', `/${adminOperations.read_gateway_routes.path}`)
  if (Array.isArray(routes) && routes.length > 0)
    throw occupied('Payments of the test environment go to a gateway')
  const { offset } = await send('GET', `/${adminOperations.read_clock.path}`)
  if (Math.abs(Number(offset)) > 1) throw occupied('The clock of the test environment was moved')
}

function occupied(reason: string): Refusal {
  const error_description = `${reason}; a demo wants an empty one, as in PAYCTL_HOME=~/payctl-demo payctl demo`
  const body = { object: 'error', error_type: 'Conflict', error_description, details: {} }
  return new Refusal({ status: 409, headers: {}, body })
}

interface Made {
  readonly seed: number
  readonly processing: string
  readonly until: number
}

/** Summary of the demo's objects, counted by the service itself. */
async function summaryOf(send: Ask, { seed, processing, until }: Made): Promise<JsonObject> {
  const figure = async (path: string) => {
    const [first] = valuesOf(await send('GET', `${path}&fields=count(*)`)) ?? []
    return first?.['count(*)'] ?? 0
  }
  const ofType = async (filter: string) => await figure(`/transactions?${filter}`)
  return {
    object: 'demo',
    seed,
    processing_id: processing,
    until: datetimeOf(until),
    customers: await figure('/customers?name=!'),
    payments: await ofType('type=payment'),
    declined: await ofType('type=payment&status=declined'),
    refunds: await ofType('type=refund'),
    disputes: await ofType('type=chargeback'),
    deposits: await ofType('type=deposit'),
    invoices: await figure('/invoices?total_due=>0'),
    overdue: await figure('/invoices?status=overdue'),
  }
}
