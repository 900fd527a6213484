import { flagsOf } from '../../../schema/flag-description.js'
import { groupedMoney, type Minor, parseScaled, times } from '../../../schema/money.js'
import { NUMBER_DECIMALS } from '../../../schema/read.js'
import type { Resource } from '../../../schema/resource.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject } from '../../terminal/input/body.js'
import { type Fact, fill, offer, type WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { aligned, type Part } from '../../terminal/wizard/wizard-rows.js'
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

/**
 * Prompts for lines until the operator is done. The last line can be removed. Lines of a resumed draft are
 * kept, and an incomplete line is completed.
 */
export async function askLines(questions: WizardQuestions, body: JsonObject, lines: Lines): Promise<void> {
  const { name, noun } = lines
  const { answered } = questions
  const given = body[name]
  const isOpen = given === undefined || questions.isResumed || answered.has(body, `${name}.again`)
  if (!isOpen || answered.has(body, name)) return
  const kept = Array.isArray(given) ? given.filter(isObject) : []
  let next = kept.length > 0 && !kept.some(isUnfinished) ? 'show' : 'add'
  while (next !== 'done') {
    if (next === 'remove') kept.pop()
    if (next === 'add' || kept.length === 0) await askLine(questions, body, kept, lines)
    for (const row of shownLines(questions, kept)) questions.say(`  ${row}`)
    next = await questions.prompts.choose('and now', choicesFor(noun, kept))
  }
  answered.add(body, name)
}

/** Plan entry that lets the operator change the lines. The lines themselves are shown below the plan's facts. */
export function linesFact({ answered }: WizardQuestions, body: JsonObject, { name, noun }: Lines): Fact {
  return [
    `${noun}s`,
    '',
    () => {
      answered.reopen(body, name)
      answered.add(body, `${name}.again`)
    },
  ]
}

/**
 * Prompts for a new line, or completes an unfinished one. The line is added to the body after its first
 * answer, so that a draft contains it.
 */
async function askLine(
  questions: WizardQuestions,
  body: JsonObject,
  kept: JsonObject[],
  { name, noun, preset, resource }: Lines,
): Promise<void> {
  const begun = kept.find(isUnfinished)
  const line = begun ?? structuredClone(preset)
  const one = { ...questions, descriptions: flagsOf(registry, resource, 'create') }
  const place = begun ? kept.length : kept.length + 1
  await fill(one, line, 'description', { message: `${noun} ${place}, description:` })
  if (!begun) kept.push(line)
  body[name] = kept
  await fill(one, line, 'amount')
  await offer(one, line, 'qty', { message: 'how many:', otherwise: '1' })
}

/** Whether a line lacks its last answer, the quantity. */
function isUnfinished({ qty }: JsonObject): boolean {
  return qty === undefined
}

/** Text rows for the lines with their totals, and for the sum. */
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
