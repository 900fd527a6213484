import process from 'node:process'
import { boolean, string } from '@oclif/core/flags'
import type { ClientRequest, JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { type Choices, formatOf, writeFlags } from '../../terminal/command/global-flags.js'
import { EXIT } from '../../terminal/failure/exit-codes.js'
import { prose } from '../../terminal/input/shape.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { gatewayArgument, gatewayPath, gatewayShape } from './gateway-target.js'
import { failedChecks, shownChecks } from './shown-checks.js'

export class GatewaysTest extends PayctlCommand {
  static override summary =
    'check at a gateway that it has all that live payments need, and close its circuits if all is well'
  static override description =
    'Looks up the account, what it may take, whether outcomes can be queried, and the endpoint for notifications. No money ' +
    'moves. ✓ works, ✗ keeps payments from working, – limits what the gateway can be used for. ' +
    'With --first-payment money moves; run it again to continue. The exit code is 8 if a check failed.'
  static override usage = 'gateways test GATEWAY [flags]'
  static override examples = [
    'payctl gateways test up --env live',
    'payctl gateways test up --env live --json',
  ]
  static override args = { gateway: gatewayArgument }
  static override flags = {
    'first-payment': boolean({
      summary:
        'make one real payment of 1.00 step by step: paid on a page, notified, refunded, and days later settled',
    }),
    processing: string({
      summary: 'with --first-payment, the processing account that is paid',
      helpValue: '<id>',
      dependsOn: ['first-payment'],
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GatewaysTest)
    const path = await gatewayPath(args.gateway, (request) => this.ask(flags, request))
    if (flags['first-payment']) return await this.walk(flags, path, flags.processing)
    const request = { method: 'POST', path: `${path}/test` } as const
    if (flags['dry-run'] || formatOf(flags) !== 'table') {
      const { body } = await this.send(flags, { ...request, shape: gatewayShape })
      if (failedChecks(body).length > 0) process.exitCode = EXIT.partly
      return
    }
    const { body } = await this.ask(flags, request)
    await this.print(flags, { object: 'list', values: [...shownChecks(body)] }, prose)
    const failed = failedChecks(body)
    this.say(flags, failed.length === 0 ? `${args.gateway} works.` : `Failed: ${failed.join(', ')}`)
    if (failed.length > 0) process.exitCode = EXIT.partly
  }

  /** Runs the steps of the first payment that are possible now. On a terminal it waits for the payer. */
  private async walk(choices: Choices, path: string, processing: string | undefined): Promise<void> {
    const prompts = promptsFor(choices['no-input'])
    const ask = async (request: ClientRequest) => (await this.ask(choices, request)).body
    const [{ firstPayment }, { capabilitiesOf }] = await Promise.all([
      import('../../../domain/gateways/first-payment.js'),
      import('../../../gateways/registry/capabilities-of.js'),
    ])
    const gateway = path.split('/').at(-1) ?? ''
    const walked = () => firstPayment({ gateway, processing, goesOn: true, ask, capabilitiesOf })
    let steps = await walked()
    for (let last = steps.at(-1); last?.step === 'paid' && last.state === 'waiting'; last = steps.at(-1)) {
      if (!prompts) break
      this.say(choices, last.found)
      if (!(await prompts.confirm('Is it paid?', true))) break
      steps = await walked()
    }
    const values = steps.map(
      ({ step, state, found }): JsonObject =>
        formatOf(choices) === 'table' ? { mark: FIRST_MARKS[state], step, found } : { step, state, found },
    )
    await this.print(choices, { object: 'list', values }, prose)
    if (steps.some(({ state }) => state === 'failed')) process.exitCode = EXIT.partly
  }
}

/** Marks of the states of a step. */
const FIRST_MARKS = { ok: '✓', failed: '✗', waiting: '…' } as const
