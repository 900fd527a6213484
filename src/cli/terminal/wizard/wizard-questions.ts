import type { QueryPair } from '../../../engine/core/request/request.js'
import type { FlagDescription } from '../../../schema/flags.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { has, put } from '../input/body.js'
import { isDateWord, readDateText } from '../input/values.js'
import type { Look } from '../output/look.js'
import type { Manner, Prompts } from '../prompts.js'

/** Somebody at the terminal, and the service that what is offered to them is looked up in. */
export interface WizardQuestions {
  readonly prompts: Prompts
  /** The attributes that may be asked for. */
  readonly descriptions: readonly FlagDescription[]
  /** What their terminal shows. */
  readonly look: Look
  /** What time it is in the environment, in milliseconds since 1970. */
  now(): Promise<number>
  /** The objects of a list, newest first. */
  find(path: string, query: readonly QueryPair[]): Promise<readonly JsonObject[]>
  /** A line of talk. */
  say(text: string): void
}

/** What a wizard came to: what will be done, in the operator's words. */
export interface WizardPlan {
  readonly facts: readonly Fact[]
  /** What follows the facts. */
  readonly lines?: readonly string[]
  readonly question: string
  /** Whether money moves: it wants a typed yes. */
  readonly moves: boolean
}

/** Shown unless the text is empty. */
export type Fact = readonly [name: string, text: string]

/** Asks for what is missing in the body of a request, and puts it there. */
export type Wizard = (questions: WizardQuestions, body: JsonObject) => Promise<WizardPlan>

/** Asks for an attribute that was not given, by its path in the declaration. */
export async function fill(
  questions: WizardQuestions,
  body: JsonObject,
  path: string,
  manner: Manner = {},
): Promise<void> {
  const { prompts, descriptions } = questions
  const description = descriptions.find((each) => each.path.join('.') === path)
  if (!description) throw new Error(`Nothing is declared at ${path}`)
  if (has(body, description.path)) return
  const value = await prompts.value(description, manner)
  if (value === '') return
  put(body, description.path, isWordForDate(description, value) ? await dateOf(questions, value) : value)
}

/** The same for what Enter alone leaves out. */
export async function offer(
  questions: WizardQuestions,
  body: JsonObject,
  path: string,
  manner: Manner = {},
): Promise<void> {
  const words = (path.split('.').at(-1) ?? path).replaceAll('_', ' ')
  await fill(questions, body, path, { optional: true, message: `${words} (Enter for none):`, ...manner })
}

function isWordForDate({ kind }: FlagDescription, value: Json): boolean {
  return (kind === 'date' || kind === 'datetime') && isDateWord(String(value))
}

async function dateOf({ now }: WizardQuestions, value: Json): Promise<string> {
  return readDateText(String(value), await now())
}
