import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { cleanText } from '../../terminal/output/clean.js'
import type { Choice } from '../../terminal/prompts.js'
import { aligned, type Part } from '../../terminal/wizard/rows.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'

/** The most that a list offers; typing narrows it. */
const MAX_ROWS = 50

/** The room that the mark before a line takes. */
const MARK = 2

/** What a list is made of, and how it is narrowed. */
export interface Lookup {
  readonly path: string
  readonly query: readonly QueryPair[]
  /** Attributes that contain what was typed. */
  readonly searched: readonly string[]
  /** An attribute that equals what was typed, as far as it can. */
  readonly equal?: (term: string) => QueryPair | undefined
}

/** The objects that a term finds in any of the attributes, newest first. */
export async function lookUp(
  questions: WizardQuestions,
  lookup: Lookup,
  term: string,
): Promise<readonly JsonObject[]> {
  const { path, query, searched, equal } = lookup
  const page: QueryPair[] = [...query, ['limit', String(MAX_ROWS)]]
  if (term === '') return await questions.find(path, page)
  const like = `?*${term.replaceAll(/[|*?<>!=]/g, ' ').trim()}*`
  const pairs: QueryPair[] = searched.map((name) => [name, like])
  const exact = equal?.(term)
  if (exact) pairs.push(exact)
  const found = await Promise.all(pairs.map((pair) => questions.find(path, [...page, pair])))
  const objects = [...new Map(found.flat().map((object) => [textOf(object.id), object])).values()]
  return objects.toSorted((a, b) => newness(b).localeCompare(newness(a))).slice(0, MAX_ROWS)
}

/** Objects as lines to choose from, as wide as the terminal. */
export function choicesOf<T>(
  questions: WizardQuestions,
  values: readonly T[],
  describe: { readonly row: (value: T) => readonly Part[]; readonly short: (value: T) => string },
): readonly Choice<T>[] {
  const lines = aligned(values.map(describe.row), (questions.look.width ?? 80) - MARK)
  return values.map((value, index) => ({ name: lines[index] ?? '', value, short: describe.short(value) }))
}

/** A value as text without characters that would draw on the terminal. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return cleanText(text)
}

function newness({ created_at, id }: JsonObject): string {
  return `${textOf(created_at)} ${textOf(id)}`
}
