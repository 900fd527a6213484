import { load } from './client.js'
import { cardPayment } from './payments.js'
import { compared, type Sample } from './sample.js'
import { type Server, sample, warm } from './servers.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 16
const OBJECTS = 500

/** A transaction by its id over HTTP, against one prepared statement. */
export async function measureReads(setting: Setting): Promise<Row[]> {
  const ours: Sample[] = []
  const theirs: Sample[] = []
  for (const server of [setting.ours, setting.group]) await pay(setting, server)
  const ourPaths = (await ids(setting)).map((id) => `/transactions/${id}`)
  const theirPaths = Array.from(
    { length: OBJECTS },
    (_, index) => `/transactions/txn_${String(index + 1).padStart(22, '0')}`,
  )
  const reads = { connections: CONNECTIONS, method: 'GET', headers: setting.headers } as const
  const read = (server: Server, paths: readonly string[]) =>
    sample(server, { ...reads, paths, milliseconds: setting.isShort ? 1_000 : 2_000 })
  await warm(setting.ours, { ...reads, paths: ourPaths })
  await warm(setting.group, { ...reads, paths: theirPaths })
  for (let round = 0; round < (setting.isShort ? 1 : ROUNDS); round++) {
    theirs.push(await read(setting.group, theirPaths))
    ours.push(await read(setting.ours, ourPaths))
  }
  const what = `transaction by id, ${CONNECTIONS} connections`
  return [compared({ what, reference: 'one prepared statement', goal: { least: 0.6 } }, ours, theirs)]
}

/** Takes as many payments as are to be read. */
async function pay({ processingId, headers }: Setting, { port }: Server): Promise<void> {
  const body = JSON.stringify(cardPayment(processingId))
  const payments = { port, connections: CONNECTIONS, milliseconds: 60_000, requests: OBJECTS, headers, body }
  await load({ ...payments, method: 'POST', paths: ['/transactions'] })
}

async function ids({ ours, headers }: Setting): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${ours.port}/transactions?fields=id&limit=${OBJECTS}`, {
    headers,
  })
  const found = (await response.text()).match(/txn_\w+/g) ?? []
  if (found.length < OBJECTS) throw new Error(`Only ${found.length} transactions to read: ${response.status}`)
  return found
}
