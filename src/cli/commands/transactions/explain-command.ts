import process from 'node:process'
import { localTime, machineZone } from '../../../platform/calendar/local-time.js'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf, requestedOf } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { type AnswerSchema, shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'
import { lookOf } from '../../terminal/output/look.js'
import { paymentArgument, transaction } from './transaction-target.js'

const { explain_transaction: explain } = adminOperations
const answer = shapeOfAnswer(registry, explain)
const { fields } = explain.output.steps
const steps = shapeOfFields(registry, fields)
/** Columns that fit into 80 characters. The column `what` also names the related object and the actor. */
const { at, amount, what } = fields
const sentences: AnswerSchema = { ...shapeOfFields(registry, { at, amount, what }), isProse: true }

export class Explain extends PayctlCommand {
  static override summary = explain.summary
  static override usage = 'transactions explain TRANSACTION [flags]'
  static override examples = ['payctl transactions explain txn_0V8c…']
  static override args = {
    transaction: { ...paymentArgument, description: 'id of the transaction, or its ref_number' },
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Explain)
    const id = await this.idOf(flags, transaction, args.transaction)
    const { body } = await this.ask(flags, {
      method: explain.method,
      path: `/${explain.path}`,
      query: [['transaction_id', id]],
    })
    if (formatOf(flags) !== 'table') {
      await this.print(flags, body, answer)
      return
    }
    const { steps: values, ...rest } = body
    // Business days end in this zone, so times beside their dates are in it, too.
    const zone = typeof rest.timezone === 'string' ? rest.timezone : machineZone()
    await this.print(flags, { ...rest, whereabouts: inZone(rest.whereabouts, zone) }, answer)
    process.stdout.write('\n')
    if (requestedOf(flags)) await this.print(flags, listOf(values), steps, zone)
    else await this.print(flags, listOf(values, sentenceOf), sentences, zone)
  }
}

/** Text whose datetimes are shown as in the column of times: on a terminal in a time zone, unless UTC is set. */
function inZone(text: Json = null, zone: string): Json {
  const { width, zone: shownZone = zone } = lookOf(process.stdout, process.env)
  if (typeof text !== 'string' || width === undefined) return text
  return text.replaceAll(/(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) UTC/g, (shown, moment: string) => {
    const local = localTime(moment, shownZone)
    return local ? `${local.date} ${local.time.slice(0, 5)} ${local.zone}` : shown
  })
}

function listOf(values: Json = null, shown = (step: Json) => step): JsonObject {
  return { object: 'list', values: Array.isArray(values) ? values.map(shown) : [] }
}

function sentenceOf(step: Json): Json {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return step
  const { kind, what, related_id: related, by } = step
  const words = [kind === 'delivery' && 'webhook', what, related, by && `by ${by}`]
  return { ...step, what: words.filter(Boolean).join(' ') }
}
