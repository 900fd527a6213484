import { attributesOf, type Resource } from '../../../schema/resource.js'
import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { cleanText } from '../../terminal/output/clean.js'
import type { Choice } from '../../terminal/prompts/prompts.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { aligned, type Part } from '../../terminal/wizard/wizard-rows.js'
import { newestFirst } from './newest-first.js'

/** Maximum number of objects that a prompt offers; typing narrows the list. */
const MAX_ROWS = 50

/**
 * Columns that a line must leave free for the mark before it and for the last column. A terminal breaks a line that
 * fills its whole width.
 */
const MARK = 3

/** A search for objects. */
export interface Lookup {
  readonly path: string
  readonly query: readonly QueryPair[]
  /** Attributes that may contain the typed text. */
  readonly searched: readonly string[]
}

/** Objects that match a term in any of the attributes, newest first. */
export async function lookUp(
  questions: WizardQuestions,
  lookup: Lookup,
  term: string,
): Promise<readonly JsonObject[]> {
  const { path, query, searched } = lookup
  const page: QueryPair[] = [...query, ['limit', String(MAX_ROWS)]]
  if (term === '') return await questions.find(path, page)
  const like = `?*${term.replaceAll(/[|*?<>!=]/g, ' ').trim()}*`
  const pairs: QueryPair[] = searched.map((name) => [name, like])
  const found = await Promise.all(pairs.map((pair) => questions.find(path, [...page, pair])))
  return newestFirst(found.flat()).slice(0, MAX_ROWS)
}

/**
 * Prompts for one object of a resource. If there is no object, throws a `UsageError` that names the command to create
 * an object.
 */
export async function chooseObject(questions: WizardQuestions, resource: Resource): Promise<JsonObject> {
  const noun = resource.name.replaceAll('_', ' ')
  const fields = attributesOf(resource)
  const columns = resource.columns.filter((name) => name !== 'id')
  const searched = columns.filter((name) => fields[name]?.kind === 'text' || fields[name]?.kind === 'email')
  const lookup: Lookup = { path: `/${resource.plural}`, query: [], searched: ['id', ...searched] }
  if ((await lookUp(questions, lookup, '')).length === 0)
    throw new UsageError(
      `There is no ${noun} yet; payctl ${resource.plural.replaceAll('_', '-')} create makes one`,
    )
  return await questions.prompts.search(`${noun} (type to search):`, async (term) =>
    choicesOf(questions, await lookUp(questions, lookup, term), {
      row: (object) => [...columns, 'id'].map((name) => ({ text: textOf(object[name]) })),
      short: (object) => textOf(object[searched[0] ?? 'id']),
    }),
  )
}

/** Objects as choices of a prompt, as lines that fit the width of the terminal. */
export function choicesOf<T>(
  questions: WizardQuestions,
  values: readonly T[],
  describe: { readonly row: (value: T) => readonly Part[]; readonly short: (value: T) => string },
): readonly Choice<T>[] {
  const lines = aligned(values.map(describe.row), (questions.look.width ?? 80) - MARK)
  return values.map((value, index) => ({ name: lines[index] ?? '', value, short: describe.short(value) }))
}

/** A value as text without control characters. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return cleanText(text)
}
