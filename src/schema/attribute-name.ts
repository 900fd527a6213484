/** Parts of a name such as `payment_method[card][card_brand]`; undefined if the brackets do not match. */
export function parseName(name: string): string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name.trim())
  if (!match) return undefined
  const [, head = '', tail = ''] = match
  return [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
}

/** Path of a name in the details of a refusal; a function call is one step. */
export function placeIn(parameter: string, name: string): string[] {
  return [parameter, ...(parseName(name) ?? [name])]
}
