import type { QueryPair } from '../../../engine/core/request/request.js'
import { UsageError } from '../failure/failure.js'
import { type AnswerSchema, bracketed, pathOf } from './shape.js'
import { isDateWord, readDateText } from './typed-values.js'

/** Whether a filter may have a relative date, as in `created_at=>2d`. */
export function hasDateWord(text: string): boolean {
  return alternatives(text.slice(text.indexOf('=') + 1)).some(({ word }) => isDateWord(word))
}

/** A filter in the grammar of the API (`amount=>100`, `payment_method.type=card`) as a query parameter. */
export function wherePair(text: string, shape: AnswerSchema, now: number): QueryPair {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`Expected a filter such as amount=>100, but received: ${text}`)
  const name = text.slice(0, at).trim()
  const value = text.slice(at + 1)
  const path = pathOf(name)
  if (isCall(name)) return [written(name), value]
  if (shape.field(path)?.kind === 'money') return [bracketed(path), plainAmounts(value)]
  return [bracketed(path), isMoment(shape, path) ? relativeDates(value, now) : value]
}

/** The `fields` parameter, if attributes were named. */
export function fieldsQuery(names: string | undefined): QueryPair[] {
  return names === undefined ? [] : [['fields', attributeNames(names)]]
}

/** Attribute names in the bracket form of the API. Names inside functions are converted, too; `*` is not changed. */
export function attributeNames(text: string): string {
  return text
    .split(',')
    .map((name) => written(name.trim()))
    .join(',')
}

/** Bracket form of a name; a leading minus, for descending order, is kept. */
function written(name: string): string {
  const [, sign = '', word, argument = '', plain = ''] = /^(-?)(?:(\w+)\((.*)\)|(.*))$/.exec(name) ?? []
  if (word !== undefined) return `${sign}${word}(${written(argument)})`
  return /^[\w.[\]-]+$/.test(plain) ? sign + bracketed(pathOf(plain)) : name
}

/** Whether a name is a function call, as in `sum(amount)`. */
export function isCall(name: string): boolean {
  return /^\w+\(/.test(name)
}

/** Removes `$` and commas from amounts: a filter needs `>1000.00`, while terminals show `$1,000.00`. */
function plainAmounts(value: string): string {
  return value.replaceAll(/\$(?=[\d.])/g, '').replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
}

/** Values of a filter, each with its operator: `>=2d|yesterday`. */
function alternatives(value: string): readonly { readonly operator: string; readonly word: string }[] {
  return value.split('|').map((text) => {
    const operator = /^[!<>=]*/.exec(text)?.[0] ?? ''
    return { operator, word: text.slice(operator.length) }
  })
}

function isMoment(shape: AnswerSchema, path: readonly string[]): boolean {
  const kind = shape.field(path)?.kind
  return kind === 'date' || kind === 'datetime'
}

/** Replaces the words in `>2w` and `>=yesterday` by dates. */
function relativeDates(value: string, now: number): string {
  return alternatives(value)
    .map(({ operator, word }) => operator + readDateText(word, now))
    .join('|')
}
