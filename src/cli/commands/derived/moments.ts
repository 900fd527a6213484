import { string } from '@oclif/core/flags'
import { attributesOf, type Resource } from '../../../schema/resource.js'

/** A flag that says from when on, or until when, a date of an object is looked for. */
export interface MomentFlag {
  readonly name: string
  /** The filter that it is, but for the date. */
  readonly filter: string
  readonly summary: string
}

/** `--created-after`, `--due-before` and so on: two for each date or datetime of a resource. */
export function momentsOf(resource: Resource): readonly MomentFlag[] {
  const fields = Object.entries(attributesOf(resource))
  const names = fields
    .filter(([, { kind, nonDefault }]) => (kind === 'date' || kind === 'datetime') && !nonDefault)
    .map(([name]) => name)
  return names.flatMap((name) => {
    const short = name.replace(/_(at|date)$/, '')
    const isOnly = names.filter((other) => other.replace(/_(at|date)$/, '') === short).length === 1
    const word = (isOnly ? short : name).replaceAll('_', '-')
    return [
      {
        name: `${word}-after`,
        filter: `${name}=>=`,
        summary: `${name} of then or later; ISO, today, 2d or 2w`,
      },
      { name: `${word}-before`, filter: `${name}=<`, summary: `${name} before then` },
    ]
  })
}

export function flagsOfMoments(moments: readonly MomentFlag[]) {
  return Object.fromEntries(
    moments.map(({ name, summary }) => [name, string({ summary, helpValue: '<date>', helpGroup: 'DATE' })]),
  )
}

/** What was given of them as filters. */
export function filtersOfMoments(
  moments: readonly MomentFlag[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return moments.flatMap(({ name, filter }) => {
    const value = given[name]
    return typeof value === 'string' ? [`${filter}${value}`] : []
  })
}
