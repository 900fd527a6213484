/** `payment_method[card][card_brand]` as its parts; undefined when the brackets do not match. */
export function parseName(name: string): string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name.trim())
  if (!match) return undefined
  const [, head = '', tail = ''] = match
  return [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
}

/** The path of a name in the details of a refusal; a function is one step, as it is written. */
export function placeIn(parameter: string, name: string): string[] {
  return [parameter, ...(parseName(name) ?? [name])]
}
