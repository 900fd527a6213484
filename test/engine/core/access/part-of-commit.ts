import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../../support/databases.js'

/** A run checks one of this number of requests: fewer on PostgreSQL, where only the SQL differs. */
const ONE_OF = { sqlite: 3, postgres: 11 } as const
const PARTS = ONE_OF.sqlite * ONE_OF.postgres

const isWhole = process.env['PAYCTL_TEST_ACCESS'] === 'all'
const PART = digestOf(fileURLToPath(new URL('../../../../src', import.meta.url))) % PARTS

/** The requests that this commit checks: the same in each run, and others when a file of `src` changes. */
export function partOfCommit<T>(requests: readonly T[], { dialect }: Place): T[] {
  const oneOf = ONE_OF[dialect]
  return requests.filter((_, index) => isWhole || index % oneOf === PART % oneOf)
}

/** Runs a check whose failure message names the checked part of the requests. */
export function inPart(check: () => Promise<void>): () => Promise<void> {
  const seen = isWhole ? 'all requests' : `part ${PART} of ${PARTS}, which follows from the files of src`
  return async () => {
    try {
      await check()
    } catch (cause) {
      throw new Error(`Fails in ${seen}; npm run long -- access checks all requests`, { cause })
    }
  }
}

/** A number computed from the names and contents of all files in a folder. */
function digestOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file.slice(folder.length)).update(readFileSync(file))
  return hash.digest().readUInt32BE()
}
