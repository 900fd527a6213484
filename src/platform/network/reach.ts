import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Addresses to which outgoing requests may be sent. */
export interface Reach {
  /** Whether this machine itself may be reached. */
  readonly loopback: boolean
}

/**
 * Whether a connection to an address (not a name) is permitted: public addresses, and loopback if allowed.
 * IPv6 forms that lead to an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are refused, because
 * public hosts do not use them.
 */
export function mayReach(address: string, { loopback }: Reach): boolean {
  if (isIPv4(address)) return isLoopbackAddress(address) ? loopback : !NOT_PUBLIC.check(address)
  // A zone (after %) names a network interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  if (isLoopback6(address)) return loopback
  return GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** Whether an address (not a name) is this machine itself. */
export function isLoopbackAddress(address: string): boolean {
  return isIPv4(address)
    ? LOOPBACK.check(address)
    : isIPv6(address) && !address.includes('%') && isLoopback6(address)
}

function isLoopback6(address: string): boolean {
  // `BlockList` is not suitable here: it treats mapped addresses as the IPv4 addresses in them.
  return new URL(`http://[${address}]`).hostname === '[::1]'
}

const LOOPBACK = listOf([['127.0.0.0', 8]])

/** IPv6 addresses that are assigned to hosts; the rest is local, multicast, translated or reserved. */
const GLOBAL = listOf([['2000::', 3]])

const NOT_PUBLIC = listOf([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function listOf(networks: readonly (readonly [address: string, bits: number])[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of networks) list.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6')
  return list
}
