import { join } from 'node:path'
import { cardPayments } from './payments.js'
import { paidPaths, readsOf } from './reads.js'
import { compared, type Sample } from './sample.js'
import { type Load, sample, startPeer, warm } from './servers.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5

/**
 * Compares payctl with a service that uses common libraries (express, zod, knex). For information only, without a goal.
 */
export async function measurePeers(setting: Setting): Promise<Row[]> {
  const { ours, headers, isShort } = setting
  const peer = await startPeer(join(setting.home, 'peer.db'))
  const inTurn = async (what: string, ourLoad: Load, peersLoad: Load): Promise<Row> => {
    const samples: Record<'ours' | 'peer', Sample[]> = { ours: [], peer: [] }
    const milliseconds = isShort ? 1_000 : 2_000
    await warm(peer, peersLoad)
    await warm(ours, ourLoad)
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      samples.peer.push(await sample(peer, { ...peersLoad, milliseconds }))
      samples.ours.push(await sample(ours, { ...ourLoad, milliseconds }))
    }
    return compared({ what, reference: 'express and knex' }, samples.ours, samples.peer)
  }
  try {
    const payments = cardPayments(setting)
    const ourReads = readsOf(await paidPaths(setting, ours), headers)
    const peersReads = readsOf(await paidPaths(setting, peer), headers)
    return [
      await inTurn(`durable card payments, ${payments.connections} connections`, payments, payments),
      await inTurn(`transaction by id, ${ourReads.connections} connections`, ourReads, peersReads),
    ]
  } finally {
    await peer.stop()
  }
}
