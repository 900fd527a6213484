import { readFileSync } from 'node:fs'

const HEADER = 32
const FRAME_HEADER = 24

/** Number of commits in the write-ahead log of an open database file: each ends with a marked frame. */
export function commitsIn(database: string): number {
  const wal = readFileSync(`${database}-wal`)
  const frame = FRAME_HEADER + wal.readUInt32BE(8)
  const salt = wal.readUInt32BE(16)
  let commits = 0
  for (let at = HEADER; at + frame <= wal.length && wal.readUInt32BE(at + 8) === salt; at += frame)
    if (wal.readUInt32BE(at + 4) !== 0) commits++
  return commits
}
