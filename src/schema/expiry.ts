/**
 * Whether a card has expired: it is good through the last day of its month, in UTC. `expiry` is `MM/YY` of this
 * century, `now` the interface's datetime.
 */
export function isExpired(expiry: string, now: string): boolean {
  const [month = '', year = ''] = expiry.split('/')
  return `20${year}-${month}` < now.slice(0, 7)
}
