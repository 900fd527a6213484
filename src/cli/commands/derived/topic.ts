import type { Field } from '../../../schema/field.js'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { put } from '../../terminal/input/body.js'
import { lacks } from '../../terminal/input/lacking.js'

/** The topic of a resource's commands: its plural with dashes. */
export function topicOf({ plural }: Resource): string {
  return plural.replaceAll('_', '-')
}

/** A noun with its article, for help: `a transaction`, `an account`. */
export function oneOfTopic({ name }: Resource): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name.replaceAll('_', ' ')}`
}

/** A sample id for help. */
export function sampleId({ prefix }: Resource): string {
  return `${prefix}0V8c…`
}

/** Sample flags for help. An attribute gets a sample if the body with the earlier samples still lacks the attribute. */
export function sampleFlags(descriptions: readonly FlagDescription[]): readonly string[] {
  const sample: JsonObject = {}
  const needed: FlagDescription[] = []
  for (const description of descriptions) {
    if (!lacks(sample, description)) continue
    put(sample, description.path, sampleValue(description))
    needed.push(description)
  }
  return needed.map(sampleFlag)
}

/**
 * A sample flag for help. A secret is read from standard input, because the live environment refuses secrets on the
 * command line.
 */
export function sampleFlag(description: SampledFlag): string {
  const value = sampleValue(description)
  return `--${description.name} ${value.includes(' ') ? `"${value}"` : value}`
}

type SampledFlag = Pick<FlagDescription, 'name' | 'kind' | 'choices' | 'field' | 'form'>

function sampleValue({ kind, choices, field, form }: SampledFlag): string {
  if (kind === 'secret') return '-'
  if (form?.example !== undefined) return form.example
  if (field?.kind === 'ref' || field?.kind === 'one') return sampleOf(field.to)
  return choices[0] ?? SAMPLES[field?.kind ?? kind] ?? '…'
}

/** Sample values by the kind of a field. */
const SAMPLES: Readonly<Record<string, string>> = {
  date: '2030-12-31',
  datetime: '2030-12-31',
  email: 'ada@example.com',
  expiry: '12/39',
  file: 'terms.txt',
  integer: '1',
  money: '12.50',
  number: '1',
  phone: '4155550100',
  postal_code: '94103',
  secret: '110000000',
} satisfies Partial<Record<Field['kind'], string>>

function sampleOf(name: string): string {
  const target = registry.find(name)
  return target ? sampleId(target) : '…'
}

/** Description of an id argument, for help. */
export function describedId({ name, reference }: Resource): string {
  const words = `id of the ${name.replaceAll('_', ' ')}`
  return reference === undefined ? words : `${words}, or its ${reference}`
}
