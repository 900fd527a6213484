import type { FlagDescription } from '../../schema/flag-description.js'

/** Common names of attributes whose own names are abbreviations. */
const CALLED: Readonly<Record<string, string>> = {
  ein: 'tax id (EIN)',
  ssn: 'social security number (SSN)',
  qty: 'how many',
  state_province: 'state',
  card_code: 'CVV',
}

/** Label of an attribute in a prompt: words for its name, and the format for a date. */
export function labelOf({ path, name, kind }: Pick<FlagDescription, 'path' | 'name' | 'kind'>): string {
  const last = path.at(-1) ?? name
  const called = CALLED[last] ?? words(last)
  return kind === 'date' ? `${called}, YYYY-MM-DD` : called
}

/** Words for a name: `customer_id` is the id of a customer. */
function words(name: string): string {
  const [, named] = /^(\w+)_id$/.exec(name) ?? []
  return (named === undefined ? name : `id of the ${named}`).replaceAll('_', ' ')
}
