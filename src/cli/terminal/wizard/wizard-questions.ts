import type { QueryPair } from '../../../engine/core/request/request.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { drop, has, put, valueAt } from '../input/body.js'
import { applies } from '../input/lacking.js'
import { isDateWord, readDateText } from '../input/typed-values.js'
import { cleanText } from '../output/clean.js'
import type { Look } from '../output/look.js'
import { factLabel, labelOf } from '../prompts/label.js'
import type { Manner, Prompts } from '../prompts/prompts.js'

/** Dependencies of a wizard: prompts, and access to the service for looking up options. */
export interface WizardQuestions {
  readonly prompts: Prompts
  /** Attributes that the wizard may prompt for. */
  readonly descriptions: readonly FlagDescription[]
  /** Whether a draft is resumed, so that its lists can be continued. */
  readonly isResumed: boolean
  /** Whether optional attributes are prompted for, too. */
  readonly isWhole: boolean
  /** Questions that were answered, or skipped with Enter. */
  readonly answered: AnsweredQuestions
  /** Look of output on the terminal. */
  readonly look: Look
  /** The environment's time, in milliseconds since 1970. */
  now(): Promise<number>
  /** Objects of a list, newest first. */
  find(path: string, query: readonly QueryPair[]): Promise<readonly JsonObject[]>
  /** Prints a line. */
  say(text: string): void
}

/** A plan in words, for confirmation. */
export interface WizardPlan {
  readonly facts: readonly Fact[]
  /** Lines after the facts. */
  readonly lines?: readonly string[]
  readonly question: string
  /** Whether the request moves money or ends something. Then the default answer is no. */
  readonly moves: boolean
}

/** An object that the operator chose, with the plan of its use. */
export interface ChosenObject {
  readonly id: string
  readonly plan: WizardPlan
}

/**
 * A line of a plan; omitted if the text is empty. With `forget`, the operator can change the answer:
 * `forget` removes it, and the wizard prompts for it again.
 */
export type Fact = readonly [name: string, text: string, forget?: () => void]

/** Prompts for missing attributes of a request's body, and adds them to the body. */
export type Wizard = (questions: WizardQuestions, body: JsonObject) => Promise<WizardPlan>

/** Questions that a wizard does not repeat, by the object that contains the answer. */
export class AnsweredQuestions {
  private readonly byObject = new WeakMap<JsonObject, Set<string>>()

  has(object: JsonObject, path: string): boolean {
    return this.byObject.get(object)?.has(path) ?? false
  }

  add(object: JsonObject, path: string): void {
    const paths = this.byObject.get(object) ?? new Set()
    this.byObject.set(object, paths.add(path))
  }

  /** Forgets a question and the questions about nested attributes, so that the wizard prompts for them again. */
  reopen(object: JsonObject, path: string): void {
    const paths = this.byObject.get(object) ?? new Set()
    for (const known of paths) if (known === path || known.startsWith(`${path}.`)) paths.delete(known)
  }
}

/** Prompts for an attribute, by its path in the declaration, unless it was given or skipped before. */
export async function fill(
  questions: WizardQuestions,
  body: JsonObject,
  path: string,
  manner: Manner = {},
): Promise<void> {
  const { prompts, answered } = questions
  const description = describedAt(questions, path)
  if (has(body, description.path) || answered.has(body, path)) return
  const value = await prompts.value(description, manner)
  answered.add(body, path)
  if (value === '') return
  put(body, description.path, isWordForDate(description, value) ? await dateOf(questions, value) : value)
}

/** Prompts for an optional attribute; Enter alone omits it. */
export async function offer(
  questions: WizardQuestions,
  body: JsonObject,
  path: string,
  manner: Manner = {},
): Promise<void> {
  const label = labelOf(describedAt(questions, path))
  const message = `${label} (Enter for ${manner.none ?? 'none'}):`
  await fill(questions, body, path, { optional: true, message, ...manner })
}

/** Facts of an object: the attributes of its form that apply, with their answers in words. */
export function formFacts(questions: WizardQuestions, body: JsonObject, prefix = ''): Fact[] {
  return questions.descriptions
    .filter((description) => description.form && applies(body, description))
    .map((description) => factAt(questions, body, description, prefix))
}

/** Fact of one attribute, by its path in the declaration. */
export function formFact(questions: WizardQuestions, body: JsonObject, path: string, text?: string): Fact {
  const [name, typed, forget] = factAt(questions, body, describedAt(questions, path), '')
  return [name, text ?? typed, forget]
}

function factAt(
  { answered }: WizardQuestions,
  body: JsonObject,
  description: FlagDescription,
  prefix: string,
): Fact {
  const { path } = description
  const forget = () => {
    drop(body, path)
    answered.reopen(body, path.join('.'))
  }
  const name = `${prefix}${factLabel(description)}`
  const text = shownAnswer(description, valueAt(body, path))
  // The wizard does not prompt for an optional attribute that it has not offered.
  return text !== '' || answered.has(body, path.join('.')) ? [name, text, forget] : [name, text]
}

/** An answer in words; for a secret, only the last four digits. */
function shownAnswer({ kind, field }: FlagDescription, value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return ''
  const text = cleanText(typeof value === 'string' ? value : JSON.stringify(value))
  if (field?.transient) return kind === 'file' ? 'given' : '***'
  if (kind === 'secret') return `•••• ${text.replaceAll(/\D/g, '').slice(-4)}`
  if (kind === 'choice') return text.replaceAll('_', ' ').toLowerCase()
  if (kind === 'boolean') return value === true ? 'yes' : 'no'
  return text
}

function describedAt({ descriptions }: WizardQuestions, path: string): FlagDescription {
  const description = descriptions.find((each) => each.path.join('.') === path)
  if (!description) throw new Error(`Nothing is declared at ${path}`)
  return description
}

function isWordForDate({ kind }: FlagDescription, value: Json): boolean {
  return (kind === 'date' || kind === 'datetime') && isDateWord(String(value))
}

async function dateOf({ now }: WizardQuestions, value: Json): Promise<string> {
  return readDateText(String(value), await now())
}
