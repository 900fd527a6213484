import { string } from '@oclif/core/flags'
import { attributesOf, type Resource } from '../../../schema/resource.js'

/** A flag that filters by a date of the objects: from that date on, or before it. */
export interface MomentFlag {
  readonly name: string
  /** The beginning of the filter, without the date. */
  readonly filter: string
  readonly summary: string
}

/** `--created-after`, `--due-before` and so on: two flags for each date or datetime of a resource. */
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
        summary: `${name} at that date or later; ISO, today, 3h, 2d, last week`,
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

/** The filters of the flags that were given. */
export function filtersOfMoments(
  moments: readonly MomentFlag[],
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  return moments.flatMap(({ name, filter }) => {
    const value = given[name]
    return typeof value === 'string' ? [`${filter}${value}`] : []
  })
}
