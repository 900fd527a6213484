import { hash } from 'node:crypto'

/**
 * Hash in a Merkle tree as in RFC 9162: 32 bytes as a latin1 string, which is faster to make than a buffer.
 * A leaf is hashed with the prefix 0; a node is hashed from its two children with the prefix 1. Outside
 * this folder hashes are hex.
 */
export type Hash = string

const HASH_BYTES = 32

export function leafHash(data: string): Hash {
  return hash('sha256', `\0${data}`, 'binary')
}

const node = Buffer.alloc(1 + 2 * HASH_BYTES)
node[0] = 1

function nodeHash(left: Hash, right: Hash): Hash {
  node.write(left, 1, 'latin1')
  node.write(right, 1 + HASH_BYTES, 'latin1')
  return hash('sha256', node, 'binary')
}

/** Root of a tree. A tree without leaves has the hash of the empty text. */
export function rootOf(leaves: readonly Hash[]): Hash {
  let level = leaves
  while (level.length > 1) level = above(level)
  return level[0] ?? hash('sha256', '', 'binary')
}

/** Hashes that lead from a leaf to the root, nearest first. RFC 9162, 2.1.3. */
export function pathTo(leaves: readonly Hash[], index: number): Hash[] {
  const path: Hash[] = []
  let at = index
  for (let level = leaves; level.length > 1; level = above(level)) {
    const sibling = level[at ^ 1]
    if (sibling !== undefined) path.push(sibling)
    at >>= 1
  }
  return path
}

/**
 * Root computed from a leaf and its path; undefined if the path does not fit a tree of that size. RFC 9162,
 * 2.1.3.2.
 */
export function rootFrom(leaf: Hash, index: number, size: number, path: readonly Hash[]): Hash | undefined {
  if (index < 0 || index >= size) return undefined
  let [at, last, root] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      root = nodeHash(sibling, root)
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1]
    } else root = nodeHash(root, sibling)
    ;[at, last] = [at >> 1, last >> 1]
  }
  return last === 0 ? root : undefined
}

/** Next level of a tree: a node for each pair. The last hash of an odd number moves up unchanged. */
function above(level: readonly Hash[]): Hash[] {
  const nodes: Hash[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left = '', right] = [level[at], level[at + 1]]
    nodes.push(right === undefined ? left : nodeHash(left, right))
  }
  return nodes
}

export function hexOf(hash: Hash): string {
  return Buffer.from(hash, 'latin1').toString('hex')
}

/** Hashes as bytes, one after another. */
export function packed(hashes: readonly Hash[]): Buffer {
  return Buffer.from(hashes.join(''), 'binary')
}

export function unpacked(bytes: Buffer): Hash[] {
  const text = bytes.toString('latin1')
  return Array.from({ length: text.length / HASH_BYTES }, (_, n) =>
    text.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  )
}

export function hashOfHex(hex: string): Hash {
  return Buffer.from(hex, 'hex').toString('latin1')
}
