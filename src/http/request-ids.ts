import type { Random } from '../platform/random.js'

const BYTES = 9

/** Request ids: some chance for the process and a count, so that two processes never give the same. */
export function requestIds(random: Random): () => string {
  const process = Buffer.from(random.bytes(BYTES)).toString('base64url')
  let count = 0
  return () => `req_${process}_${(++count).toString(36)}`
}
