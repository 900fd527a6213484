import type { Rail } from '../../src/gateways/contract.js'
import { rails } from '../../src/gateways/registry/rails.js'
import { remoteSimulator, SIMULATED } from '../../src/gateways/simulator/remote-simulator.js'
import { openRailClient } from '../../src/platform/network/rail-client.js'
import { code, table } from './markdown.js'

const HOUR = 3_600_000
const BEGIN = '<!-- From the declarations of the rails, by npm run docs -->'
const END = '<!-- End -->'
const VOIDS = { void: 'yes', refund: 'as a full refund', no: 'no' } as const

/** The parts of a rail that the table shows: its capabilities, and which optional parts of `Rail` it has. */
type Declared = Pick<Rail, 'capabilities'> &
  Readonly<
    Partial<
      Record<'disputes' | 'endpoints' | 'fields' | 'notifications' | 'describe' | 'operations', unknown>
    >
  >

const ROWS: readonly (readonly [string, (rail: Declared) => string | boolean])[] = [
  ['kinds of method', ({ capabilities }) => capabilities.methods.map(code).join(', ')],
  ['bank accounts by number on pages', ({ capabilities }) => capabilities.bankNumbers],
  ['its own fields in pages', ({ fields }) => fields !== undefined],
  ['authentication of payers (3-D Secure)', ({ capabilities }) => capabilities.authentication],
  ['saves a method without a payment', ({ capabilities }) => capabilities.store],
  ['answers a token that replaces the number', ({ capabilities }) => capabilities.tokens],
  ['describes a token before it is charged', ({ describe }) => describe !== undefined],
  ['partial capture', ({ capabilities }) => capabilities.partialCapture],
  ['void of a captured payment', ({ capabilities }) => VOIDS[capabilities.voidCaptured]],
  ['partial refund', ({ capabilities }) => capabilities.partialRefund],
  ['refund before settlement', ({ capabilities }) => capabilities.refundBeforeSettlement],
  ['settles a payment that was refunded before', ({ capabilities }) => capabilities.settlesRefunded],
  ['authorizations end after', ({ capabilities }) => daysOf(capabilities.authorizationLifetime)],
  ['recognizes a repeated request by', ({ capabilities }) => capabilities.idempotency],
  ['“never received” is certain after', ({ capabilities }) => minutesOf(capabilities.horizon)],
  ['endpoint for notifications created by API', ({ endpoints }) => endpoints !== undefined],
  ['events are polled', ({ notifications }) => notifications !== undefined],
  ['lists all operations, for a restore', ({ operations }) => operations !== undefined],
  ['disputes can be answered through it', ({ disputes }) => disputes !== undefined],
  ['reports disputes', ({ capabilities }) => capabilities.reports.disputes],
  ['reports its fees', ({ capabilities }) => capabilities.reports.fees],
  ['reports payouts', ({ capabilities }) => capabilities.reports.payouts],
  ['reports refunds that fail late', ({ capabilities }) => capabilities.reports.failedRefunds],
  ['reports payouts that fail', ({ capabilities }) => capabilities.reports.failedPayouts],
  ['reports reserves', ({ capabilities }) => capabilities.reports.reserves],
]

/** The page with a new table of rails' abilities in the marked place. Throws if the page has no such place. */
export async function withMatrix(page: string): Promise<string> {
  const [before = '', rest] = page.split(BEGIN)
  const [, after] = rest?.split(END) ?? []
  if (after === undefined) throw new Error(`The page has no place for the table: ${BEGIN} … ${END}`)
  return `${before}${BEGIN}\n\n${await matrix()}\n\n${END}${after}`
}

async function matrix(): Promise<string> {
  const http = openRailClient({ loopback: false })
  const declared: [string, Declared][] = []
  for (const [kind, { load }] of Object.entries(rails))
    declared.push([kind, (await load())({ http, now: () => 0 })])
  // The simulator is embedded, so it has no list of operations to read.
  declared.push(['simulator', { capabilities: SIMULATED, disputes: remoteSimulator().disputes }])
  await http.close()
  return table(
    ['', ...declared.map(([kind]) => code(kind))],
    ROWS.map(([label, of]) => [label, ...declared.map(([, rail]) => cellOf(of(rail)))]),
  ).trim()
}

function cellOf(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? 'yes' : '–'
}

function daysOf(milliseconds: number): string {
  return `${milliseconds / (24 * HOUR)} days`
}

function minutesOf(milliseconds: number): string {
  return milliseconds === 0 ? 'at once' : `${milliseconds / (HOUR / 60)} minutes`
}
