import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Holder } from '../../domain/access/authenticate.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Clock } from '../../platform/clock.js'
import { Buckets, type Quota, WINDOW } from './buckets.js'
import type { Limits } from './http-limits.js'

/**
 * Limits the requests that are served. Every method adds the remaining quota to the headers, and throws
 * `TooManyRequests` beyond the limit.
 */
export interface RateLimits {
  /** Counts a request of an address. */
  admitAddress(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a request with a key. */
  admitKey(holder: Holder, reply: FastifyReply): void
  /** Counts a request with an unknown key. Guesses never limit known keys from the same address. */
  countUnknown(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a notification of a gateway. */
  admitNotification(request: FastifyRequest, reply: FastifyReply): void
  /** Counts an attempt to sign in or up: each computes a password hash, which is slow on purpose. */
  admitSigning(form: 'sign-in' | 'sign-up', request: FastifyRequest, reply: FastifyReply): void
}

/** Counts in this process only; a limit of 0 means no limit. */
export function rateLimits(limits: Limits, clock: Clock): RateLimits {
  const { keyRate, addressRate, unknownKeyRate, notificationRate, signInRate, signUpRate } = limits
  const keys = bucketsOf(keyRate, clock)
  const addresses = bucketsOf(addressRate, clock)
  const unknown = bucketsOf(unknownKeyRate, clock)
  const notifications = bucketsOf(notificationRate, clock)
  const signings = { 'sign-in': bucketsOf(signInRate, clock), 'sign-up': bucketsOf(signUpRate, clock) }
  return {
    admitAddress({ ip }, reply) {
      if (addresses) admit('address', addresses.take(callerOf(ip)), reply)
    },
    admitKey({ environment, principal }, reply) {
      if (keys) admit('key', keys.take(`${environment} ${principal.id}`), reply)
    },
    countUnknown({ ip }, reply) {
      const guesses = unknown?.take(callerOf(ip))
      if (guesses && guesses.wait > 0) admit('unknown-key', guesses, reply)
    },
    admitNotification({ ip }, reply) {
      if (notifications) admit('notification', notifications.take(callerOf(ip)), reply)
    },
    admitSigning(form, { ip }, reply) {
      const tries = signings[form]?.take(callerOf(ip))
      if (tries && tries.wait > 0) admit(form, tries, reply)
    },
  }
}

function bucketsOf(limit: number, clock: Clock): Buckets | undefined {
  return limit > 0 ? new Buckets(limit, clock) : undefined
}

/** The requests that each policy counts, in the words of error messages. */
const POLICIES = {
  key: 'requests with this key',
  address: 'requests from this address',
  'unknown-key': 'requests with unknown keys from this address',
  notification: 'notifications from this address',
  'sign-in': 'tries to sign in from this address',
  'sign-up': 'tries to sign up from this address',
} as const

type Policy = keyof typeof POLICIES

function admit(policy: Policy, { limit, remaining, reset, wait }: Quota, reply: FastifyReply): void {
  append(reply, 'ratelimit-policy', `"${policy}";q=${limit};w=${seconds(WINDOW)}`)
  append(reply, 'ratelimit', `"${policy}";r=${remaining};t=${seconds(reset)}`)
  if (wait === 0) return
  const description = `Too many ${POLICIES[policy]}: at most ${limit} a minute`
  throw new ApiError('TooManyRequests', description, {}, { 'Retry-After': String(seconds(wait)) })
}

function append(reply: FastifyReply, name: string, value: string): void {
  const before = reply.getHeader(name)
  reply.header(name, before === undefined ? value : `${before}, ${value}`)
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000)
}

/**
 * Identity of a caller: an IPv4 address, or the /64 network of an IPv6 address. A customer of a provider usually has
 * a whole /64.
 */
export function callerOf(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4 !== undefined || isIP(address) !== 6) return v4 ?? address
  const [before = '', after] = (address.split('%')[0] ?? '').split('::')
  const left = groupsOf(before)
  const right = groupsOf(after ?? '')
  const gap = after === undefined ? 0 : 8 - left.length - right.length
  const network = [...left, ...Array.from({ length: gap }, () => 0), ...right].slice(0, 4)
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}

/**
 * Whether a request came through a proxy that is not trusted. Such a request has a header `x-forwarded-for`, but `ip` is
 * the address of the proxy, which all clients behind it share.
 */
export function isBehindUntrustedProxy({ headers, ip, socket }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined && ip === socket.remoteAddress
}

/** Identity of a payer by network address; undefined behind a proxy that is not trusted. */
function payerAddressOf(request: FastifyRequest): string | undefined {
  return isBehindUntrustedProxy(request) ? undefined : callerOf(request.ip)
}

/** Identity and device of a payer, as far as they are known. */
export function payingClient(request: FastifyRequest): Pick<Principal, 'address' | 'device'> {
  const address = payerAddressOf(request)
  const browser = request.headers['user-agent']
  const device = address !== undefined && browser ? { address: request.ip, browser } : undefined
  return { address, device }
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
