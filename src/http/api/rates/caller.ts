import { isIP } from 'node:net'

/**
 * What counts as one caller of an address: an IPv4 address, or the /64 network of an IPv6 address, as one customer of
 * a provider has all of that.
 */
export function callerOf(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined || isIP(address) !== 6) return v4 ?? address
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const [left, right] = [groupsOf(before), groupsOf(after ?? '')]
  const gap = after === undefined ? 0 : 8 - left.length - right.length
  const network = [...left, ...Array.from({ length: gap }, () => 0), ...right].slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
