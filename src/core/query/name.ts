/** `payment_method[card][card_brand]` as its parts; nothing when the brackets do not match. */
export function parseName(name: string): string[] | undefined {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name.trim())
  if (!match) return undefined
  const [, head = '', tail = ''] = match
  return [head, ...[...tail.matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
}
