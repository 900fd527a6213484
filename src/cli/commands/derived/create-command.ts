import { string } from '@oclif/core/flags'
import { flagsOf } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { completing } from '../../terminal/command/way-on.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject } from '../../terminal/input/body.js'
import { readTree } from '../../terminal/input/data.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { type Guide, interactiveFlag, resumeFlag, WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import type { Wizard } from '../../terminal/wizard/wizard-questions.js'
import { NO_ADDITION, remaining } from './addition.js'
import { drawScanned, isScanned, qrFlag } from './scanned-address.js'
import { oneOfTopic, sampleFlags } from './topic.js'

/** Wizards that create resources, by name; loaded on demand. */
export const wizards: Readonly<Record<string, (() => Promise<Wizard>) | undefined>> = {
  account: async () => (await import('../wizards/account-wizard.js')).accountWizard(),
  customer: async () => (await import('../wizards/account-wizard.js')).accountWizard('customer'),
  processing_account: async () => (await import('../wizards/account-wizard.js')).accountWizard('processing'),
  invoice: async () => (await import('../wizards/invoice-wizard.js')).invoiceWizard,
  billing_schedule: async () => (await import('../wizards/billing-schedule-wizard.js')).billingScheduleWizard,
}

export const dataFlag = string({
  char: 'd',
  summary: 'JSON file with the whole tree, or - for standard input; flags override it',
  helpValue: '<file>',
})

/**
 * Sentence about a new account that is incomplete, with the command that completes it; undefined for other
 * objects.
 */
function nextStep({ id, processing }: JsonObject): string | undefined {
  if (!isObject(processing) || processing.status !== 'incomplete') return undefined
  return `It cannot take payments yet. ${completing(id)}`
}

/** `payctl <topic> create`, or another verb. If --data is a list of objects, all of them are created. */
export function createCommand(resource: Resource, topic: string, verb = 'create', addition = NO_ADDITION) {
  const shape = shapeOf(registry, resource)
  const descriptions = remaining(flagsOf(registry, resource, 'create'), addition)
  const isPrompted = resource.form !== undefined || descriptions.some(({ required }) => required)
  const special = wizards[resource.name]
  const load = special ?? (async () => (await import('../wizards/form-wizard.js')).formWizard(resource))
  const guide: Guide = { resource, descriptions, load }
  return class Create extends WizardCommand {
    static override summary = `${verb} ${oneOfTopic(resource)}`
    static override usage = `${topic} ${verb} [--data <file>] [flags]`
    static override examples = [
      ...(isPrompted ? [`payctl ${topic} ${verb}`] : []),
      ['payctl', topic, verb, ...sampleFlags(descriptions)].join(' '),
      `payctl ${topic} ${verb} --data ${resource.name}.json --dry-run`,
    ]
    static override flags = {
      ...flagsFor(descriptions),
      ...addition.flags,
      ...(isScanned(resource) && { qr: qrFlag }),
      data: dataFlag,
      ...(isPrompted && { interactive: interactiveFlag, resume: resumeFlag }),
      ...writeFlags,
    }

    async run(): Promise<void> {
      const { flags } = await this.parse(Create)
      const given: GivenFlags = flags
      const data = flags.data === undefined ? {} : await readTree(flags.data, this.stdin)
      const choices = { ...flags, interactive: given.interactive === true, resume: given.resume === true }
      const isList = data.object === 'list'
      const requested = isList ? data : await this.complete(choices, guide, given, data)
      const body = isList ? requested : await addition.complete(requested, given, this.surroundings(flags))
      const answer = await this.send(flags, { method: 'POST', path: `/${resource.plural}`, body, shape })
      if (!flags['dry-run']) await drawScanned(resource, answer.body, { ...flags, qr: given.qr })
      const next = flags['dry-run'] ? undefined : nextStep(answer.body)
      if (next !== undefined) this.say(flags, next)
    }
  }
}
