/** `payment_method[card][card_brand]` as its parts; nothing when the brackets do not match. */
export function parseName(name: string): string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name.trim())
  if (!match) return undefined
  const [, head = '', tail = ''] = match
  return [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
}

/** Where a name stands in the details of a refusal; a function stands there as it is written. */
export function placeIn(parameter: string, name: string): string[] {
  return [parameter, ...(parseName(name) ?? [name])]
}
