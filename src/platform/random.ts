import { randomBytes } from 'node:crypto'

/** Where chance comes from. */
export interface Random {
  bytes(length: number): Uint8Array
}

/** Bytes are drawn from the system in larger batches: each call costs more than the bytes. */
const BATCH_SIZE = 8_192

export const systemRandom: Random = drawing()

function drawing(): Random {
  let lot = new Uint8Array(0)
  let used = 0
  return {
    bytes(length) {
      if (length > BATCH_SIZE) return randomBytes(length)
      if (used + length > lot.length) {
        lot = randomBytes(BATCH_SIZE)
        used = 0
      }
      used += length
      return lot.slice(used - length, used)
    },
  }
}
