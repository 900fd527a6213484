import { randomBytes } from 'node:crypto'

/** Source of random bytes. */
export interface Random {
  bytes(length: number): Uint8Array
}

/** Number of bytes that are taken from the system at once, because the call costs more than the bytes. */
const BATCH_SIZE = 8_192

export const systemRandom: Random = batchedRandom()

function batchedRandom(): Random {
  let batch = new Uint8Array(0)
  let used = 0
  return {
    bytes(length) {
      if (length > BATCH_SIZE) return randomBytes(length)
      if (used + length > batch.length) {
        batch = randomBytes(BATCH_SIZE)
        used = 0
      }
      used += length
      return batch.slice(used - length, used)
    },
  }
}
