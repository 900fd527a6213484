import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'

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

/** A sample flag for help. A secret is read from standard input, as live takes none from the command line. */
export function sampleFlag({
  name,
  kind,
  choices,
}: Pick<FlagDescription, 'name' | 'kind' | 'choices'>): string {
  return `--${name} ${kind === 'secret' ? '-' : (choices[0] ?? '…')}`
}

/** Description of an id argument, for help. */
export function describedId({ name, reference }: Resource): string {
  const words = `id of the ${name.replaceAll('_', ' ')}`
  return reference === undefined ? words : `${words}, or its ${reference}`
}
