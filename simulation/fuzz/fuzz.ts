import process from 'node:process'
import { seededChance } from '../../test/support/chance.js'
import { problemsOf } from '../../test/support/contract/check.js'
import type { Place } from '../../test/support/databases.js'
import { type Finding, Findings } from './findings.js'
import { Known } from './known.js'
import { type Memory, memory } from './memory.js'
import { type FuzzRequest, requestOf } from './request.js'
import { type Exchange, FuzzService } from './service.js'
import type { Making } from './values.js'
import { watchdog } from './watchdog.js'

export interface FuzzOptions {
  readonly place: Place
  readonly seed: number
  readonly requests: number
  /** Milliseconds of processor time beyond which an answer is a finding; by default there is no limit. */
  readonly slowMilliseconds?: number
  /** Called before each request is sent. */
  readonly tell?: (number: number, request: FuzzRequest) => void
}

export interface Fuzzed {
  /** Findings, one of each kind, with the first request that caused it. */
  readonly findings: readonly Finding[]
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Growth of memory in bytes, from a fifth of the run to its end. */
  readonly growth: Memory
}

/** Number of requests between two runs of due jobs. */
const JOBS_EVERY = 500
const HANG = 600_000

/** Sends generated requests to a service with existing objects, and returns the findings. */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { seed, requests } = options
  const service = new FuzzService(options)
  const making: Making = { chance: seededChance(seed), known: new Known() }
  const findings = new Findings()
  const dog = watchdog(seed, HANG)
  let early: Memory | undefined
  try {
    await service.prepare((answer) => making.known.learn(answer))
    for (let number = 1; number <= requests; number++) {
      dog.begin(number)
      await one({ options, service, making, findings }, number)
      if (number % JOBS_EVERY === 0) await runJobs(service, findings, number)
      if (number === Math.floor(requests / 5)) early = await memory()
    }
    dog.rest()
    const late = await memory()
    await proveBooks(service, findings)
    const growth = {
      heap: late.heap - (early?.heap ?? late.heap),
      resident: late.resident - (early?.resident ?? late.resident),
    }
    return { findings: findings.all, statuses: findings.statuses, growth }
  } finally {
    await dog.stop()
    await service.close()
  }
}

interface Run {
  readonly options: FuzzOptions
  readonly service: FuzzService
  readonly making: Making
  readonly findings: Findings
}

async function one({ options, service, making, findings }: Run, number: number): Promise<void> {
  const request = requestOf(making)
  options.tell?.(number, request)
  const begun = process.cpuUsage()
  // Sometimes the same request is sent twice at the same time.
  const times = making.chance.percent(2) ? 2 : 1
  const exchanges = await Promise.all(Array.from({ length: times }, () => service.send(request)))
  // Not the time on the clock: other programs of a busy machine make every answer late.
  const { user, system } = process.cpuUsage(begun)
  const took = (user + system) / 1_000
  const { slowMilliseconds = Number.POSITIVE_INFINITY } = options
  if (took > slowMilliseconds)
    findings.add(number, request, `slow: took ${Math.round(took / 1000)} s of processor time`)
  for (const exchange of exchanges) {
    for (const problem of await problems(service, exchange)) findings.add(number, request, problem)
    findings.count(exchange.status)
    if (exchange.body && exchange.status === 200) making.known.learn(exchange.body)
    if (exchange.status === 404 && request.who === 'operator') making.known.forget(exchange.asked.path)
  }
  for (const error of service.reported.splice(0))
    findings.add(number, request, error instanceof Error ? (error.stack ?? error.message) : String(error))
}

/** Paths of actions that call a gateway. No gateway exists here. */
const AT_GATEWAY = /^\/admin\/gateways\/[^/]+\/(endpoint|remove_endpoint)\/?$/

/** Path of the action that takes an automatic payment at once. */
const COLLECTING = /^\/invoices\/[^/]+\/collect\/?$/

/**
 * Problems of an answer. Status 503 is correct during maintenance, and for actions that call a gateway. It is also correct
 * for automatic payments before gateways have reported what happened since a date.
 */
async function problems(service: FuzzService, { asked, status, body }: Exchange): Promise<string[]> {
  const wrong = body ? problemsOf(asked, { status, body }) : []
  if (status < 500) return wrong
  if (status === 503) {
    if (AT_GATEWAY.test(asked.path)) return wrong
    if (COLLECTING.test(asked.path)) {
      const { body: caughtUp } = await service.ask({ method: 'POST', path: '/admin/catch_up', body: {} })
      if (caughtUp?.['finished'] === false) return wrong
    }
    const { body: maintenance } = await service.ask({ method: 'GET', path: '/admin/maintenance' })
    if (maintenance?.['enabled'] === true) return wrong
  }
  return [...wrong, `answers ${status}: ${JSON.stringify(body)}`]
}

async function runJobs(service: FuzzService, findings: Findings, number: number): Promise<void> {
  const off: FuzzRequest = {
    method: 'PUT',
    path: '/admin/maintenance',
    query: [],
    body: { enabled: false },
    dryRun: false,
    count: false,
    wire: 'core',
    who: 'operator',
  }
  const { status } = await service.ask(off)
  if (status !== 200) findings.add(number, off, `maintenance cannot be ended: ${status}`)
  await service.runDueJobs()
}

/**
 * Runs the shipped verify and adds its findings. The tests' other audits are not used, because they assume prices that
 * random requests change.
 */
async function proveBooks(service: FuzzService, findings: Findings): Promise<void> {
  const { body } = await service.ask({ method: 'GET', path: '/admin/verify' })
  if (!Array.isArray(body?.['findings'])) findings.books(`no proof: ${JSON.stringify(body)}`)
  else for (const finding of body['findings']) findings.books(JSON.stringify(finding))
}
