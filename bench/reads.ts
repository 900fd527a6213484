import { load } from './client.js'
import { median, ratio } from './median.js'
import type { Server } from './servers.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 16
const OBJECTS = 500

/** A transaction by its id over HTTP, against one prepared statement. */
export async function measureReads(setting: Setting): Promise<Row[]> {
  const ours: number[] = []
  const theirs: number[] = []
  const ourPaths = (await ids(setting)).map((id) => `/transactions/${id}`)
  const theirPaths = Array.from(
    { length: OBJECTS },
    (_, index) => `/transactions/txn_${String(index + 1).padStart(22, '0')}`,
  )
  const read = async (server: Server, paths: readonly string[], milliseconds: number) => {
    const { headers } = setting
    return (
      await load({ port: server.port, connections: CONNECTIONS, milliseconds, method: 'GET', paths, headers })
    ).perSecond
  }
  await read(setting.ours, ourPaths, 1_000)
  await read(setting.group, theirPaths, 1_000)
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await read(setting.group, theirPaths, 2_000))
    ours.push(await read(setting.ours, ourPaths, 2_000))
  }
  return [
    {
      what: `transaction by id, ${CONNECTIONS} connections`,
      reference: 'one prepared statement',
      ours: `${Math.round(median(ours))}/s`,
      theirs: `${Math.round(median(theirs))}/s`,
      ratio: ratio(ours, theirs),
      goal: { least: 0.5 },
    },
  ]
}

async function ids({ ours, headers }: Setting): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${ours.port}/transactions?fields=id&limit=${OBJECTS}`, {
    headers,
  })
  const found = (await response.text()).match(/txn_\w+/g) ?? []
  if (found.length < OBJECTS) throw new Error(`Only ${found.length} transactions to read: ${response.status}`)
  return found
}
