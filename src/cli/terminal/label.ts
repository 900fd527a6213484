import type { FlagDescription } from '../../schema/flag-description.js'

/** What people call attributes whose names are short for something. */
const CALLED: Readonly<Record<string, string>> = {
  ein: 'tax id (EIN)',
  ssn: 'social security number (SSN)',
  qty: 'how many',
  state_province: 'state',
  card_code: 'CVV',
}

/** How a prompt calls an attribute: in words, an id by what it is of, a date with its form. */
export function labelOf({ path, name, kind }: Pick<FlagDescription, 'path' | 'name' | 'kind'>): string {
  const last = path.at(-1) ?? name
  const called = CALLED[last] ?? words(last)
  return kind === 'date' ? `${called}, YYYY-MM-DD` : called
}

/** `customer_id` is the id of a customer. */
function words(name: string): string {
  const [, named] = /^(\w+)_id$/.exec(name) ?? []
  return (named === undefined ? name : `id of the ${named}`).replaceAll('_', ' ')
}
