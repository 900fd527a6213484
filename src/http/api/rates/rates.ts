import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Holder } from '../../../domain/access/authenticate.js'
import { ApiError } from '../../../engine/core/request/errors.js'
import type { Clock } from '../../../platform/clock.js'
import type { Limits } from '../wire/limits.js'
import { Buckets, type Quota, WINDOW } from './buckets.js'
import { callerOf } from './caller.js'

/** How often who may ask. Each throws `TooManyRequests`, and tells what is left in the answer's headers. */
export interface Rates {
  /** One more request of an address, which has not used too many unknown keys. */
  admitAddress(request: FastifyRequest, reply: FastifyReply): void
  /** One more request with a key. */
  admitKey(holder: Holder, reply: FastifyReply): void
  /** One more request with an unknown key. */
  countUnknown(request: FastifyRequest): void
}

/** Counts in this process alone; a limit of 0 is none. */
export function ratesOf({ keyRate, addressRate, unknownKeyRate }: Limits, clock: Clock): Rates {
  const keys = bucketsOf(keyRate, clock)
  const addresses = bucketsOf(addressRate, clock)
  const unknown = bucketsOf(unknownKeyRate, clock)
  return {
    admitAddress({ ip }, reply) {
      const caller = callerOf(ip)
      if (addresses) admit('address', addresses.take(caller), reply)
      const guesses = unknown?.look(caller)
      if (guesses && guesses.wait > 0) admit('unknown-key', guesses, reply)
    },
    admitKey({ environment, principal }, reply) {
      if (keys) admit('key', keys.take(`${environment} ${principal.id}`), reply)
    },
    countUnknown({ ip }) {
      unknown?.take(callerOf(ip))
    },
  }
}

function bucketsOf(limit: number, clock: Clock): Buckets | undefined {
  return limit > 0 ? new Buckets(limit, clock) : undefined
}

/** What each policy counts, for people. */
const POLICIES = {
  key: 'requests with this key',
  address: 'requests from this address',
  'unknown-key': 'requests with unknown keys from this address',
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
