import { flagsOf } from '../../../schema/flags.js'
import { groupedMoney, type Minor, parseScaled, times } from '../../../schema/money.js'
import { NUMBER_DECIMALS } from '../../../schema/read.js'
import type { Resource } from '../../../schema/resource.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declared.js'
import { isObject } from '../../terminal/input/body.js'
import { aligned, type Part } from '../../terminal/wizard/rows.js'
import { fill, offer, type WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { textOf } from './lookup.js'
import { minorOf } from './payment.js'

/** A list of items with an amount and a quantity. */
export interface Lines {
  readonly resource: Resource
  /** The attribute that holds the list. */
  readonly name: string
  readonly noun: string
  /** Fixed attributes of each item. */
  readonly preset: JsonObject
}

/** Asks for one line after another, until the operator is done; the last one can be removed. */
export async function askLines(questions: WizardQuestions, body: JsonObject, lines: Lines): Promise<void> {
  const { name, noun, preset, resource } = lines
  if (body[name] !== undefined) return
  const kept: JsonObject[] = []
  const one = { ...questions, descriptions: flagsOf(registry, resource, 'create') }
  for (let next = 'add'; next !== 'done'; ) {
    if (next === 'add') {
      const line = structuredClone(preset)
      await fill(one, line, 'description', { message: `${noun} ${kept.length + 1}, description:` })
      await fill(one, line, 'amount', { message: 'price of one:' })
      await offer(one, line, 'qty', { message: 'how many:', otherwise: '1' })
      kept.push(line)
    } else kept.pop()
    body[name] = [...kept]
    for (const row of shownLines(questions, kept)) questions.say(`  ${row}`)
    next = kept.length === 0 ? 'add' : await questions.prompts.choose('and now', choicesFor(noun, kept))
  }
}

/** The lines with their totals and the sum. */
export function shownLines({ look }: WizardQuestions, list: Json | undefined): string[] {
  const lines = Array.isArray(list) ? list.filter(isObject) : []
  const sum = lines.reduce((total, line) => total + totalOf(line), 0)
  const rows: Part[][] = lines.map((line) => [
    { text: textOf(line.description) },
    { text: `${textOf(line.qty ?? 1)} x`, align: 'right' },
    { text: groupedMoney(minorOf(line.amount)), align: 'right' },
    { text: groupedMoney(totalOf(line)), align: 'right' },
  ])
  const foot: Part[] = [
    { text: 'total' },
    { text: '' },
    { text: '' },
    { text: groupedMoney(sum), align: 'right' },
  ]
  return aligned([...rows, foot], (look.width ?? 80) - 2)
}

function choicesFor(noun: string, kept: readonly JsonObject[]) {
  return [
    { name: `add another ${noun}`, value: 'add' },
    { name: 'that is all', value: 'done' },
    { name: `remove ${textOf(kept.at(-1)?.description)}`, value: 'remove' },
  ]
}

function totalOf({ amount, qty }: JsonObject): Minor {
  const quantity = typeof qty === 'number' ? parseScaled(qty, NUMBER_DECIMALS) : undefined
  return quantity === undefined ? minorOf(amount) : times(minorOf(amount), quantity)
}
