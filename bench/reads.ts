import { load } from './client.js'
import { cardPayments } from './payments.js'
import { compared, type Sample } from './sample.js'
import { type Load, type Server, sample, warm } from './servers.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 16
const OBJECTS = 500

/** Compares reading a transaction by its id over HTTP with one prepared statement. */
export async function measureReads(setting: Setting): Promise<Row[]> {
  const { ours, group, headers, isShort } = setting
  const samples: Record<'ours' | 'theirs', Sample[]> = { ours: [], theirs: [] }
  await pay(setting, group)
  const theirPaths = Array.from(
    { length: OBJECTS },
    (_, index) => `/transactions/txn_${String(index + 1).padStart(22, '0')}`,
  )
  const ourReads = readsOf(await paidPaths(setting, ours), headers)
  const theirReads = readsOf(theirPaths, headers)
  const milliseconds = isShort ? 1_000 : 2_000
  await warm(ours, ourReads)
  await warm(group, theirReads)
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
    samples.theirs.push(await sample(group, { ...theirReads, milliseconds }))
    samples.ours.push(await sample(ours, { ...ourReads, milliseconds }))
  }
  const what = `transaction by id, ${CONNECTIONS} connections`
  const claim = { what, reference: 'one prepared statement', goal: { least: 0.4 } }
  return [compared(claim, samples.ours, samples.theirs)]
}

/** Load of reads of these paths. Each connection reads one path after another. */
export function readsOf(paths: readonly string[], headers: Load['headers']): Load {
  return { connections: CONNECTIONS, method: 'GET', headers, paths }
}

/** Takes payments, and returns the paths to read them. */
export async function paidPaths(setting: Setting, server: Server): Promise<string[]> {
  await pay(setting, server)
  const address = `http://127.0.0.1:${server.port}/transactions?fields=id&limit=${OBJECTS}`
  const response = await fetch(address, { headers: setting.headers })
  const found = (await response.text()).match(/txn_\w+/g) ?? []
  if (found.length < OBJECTS) throw new Error(`Only ${found.length} transactions to read: ${response.status}`)
  return found.map((id) => `/transactions/${id}`)
}

/** Takes as many payments as will be read. */
async function pay(setting: Setting, { port }: Server): Promise<void> {
  await load({ ...cardPayments(setting), port, milliseconds: 60_000, requests: OBJECTS })
}
