import type { QueryPair } from '../../../engine/core/request/request.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { has, put } from '../input/body.js'
import { isDateWord, readDateText } from '../input/typed-values.js'
import { labelOf } from '../label.js'
import type { Look } from '../output/look.js'
import type { Manner, Prompts } from '../prompts.js'

/** Dependencies of a wizard: prompts, and the service in which options are looked up. */
export interface WizardQuestions {
  readonly prompts: Prompts
  /** Attributes that the wizard may prompt for. */
  readonly descriptions: readonly FlagDescription[]
  /** Whether a draft is resumed: lists in it are continued. */
  readonly isResumed: boolean
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
  /** Whether money moves: the default answer is then no. */
  readonly moves: boolean
}

/** An object that the operator chose, with the plan of its use. */
export interface ChosenObject {
  readonly id: string
  readonly plan: WizardPlan
}

/** A line of a plan; omitted if the text is empty. */
export type Fact = readonly [name: string, text: string]

/** Prompts for missing attributes of a request's body, and adds them to the body. */
export type Wizard = (questions: WizardQuestions, body: JsonObject) => Promise<WizardPlan>

/** Prompts for an attribute, by its path in the declaration, unless it was given. */
export async function fill(
  questions: WizardQuestions,
  body: JsonObject,
  path: string,
  manner: Manner = {},
): Promise<void> {
  const { prompts } = questions
  const description = describedAt(questions, path)
  if (has(body, description.path)) return
  const value = await prompts.value(description, manner)
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
  await fill(questions, body, path, { optional: true, message: `${label} (Enter for none):`, ...manner })
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
