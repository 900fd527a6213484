import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Folder } from '../../support/batch-file.js'
import { listOf, objectOf } from '../../support/core.js'
import type { Place } from '../../support/databases.js'
import { type Outcome, payctl } from './payctl.js'

/** Runs `payctl batch` on the files of a folder. */
export interface BatchCommands {
  run(name: string, as: string, ...words: string[]): Promise<Outcome>
  /** JSON answer of a command that prints no warning on stderr. */
  json(...words: string[]): Promise<JsonObject>
  /** Amounts of transactions that match a filter, in ascending order. */
  amounts(query: string): Promise<unknown[]>
}

export function batchCommands(place: Place, folder: Folder): BatchCommands {
  const json: BatchCommands['json'] = async (...words) => {
    const { stdout, stderr } = await payctl(place, [...words, '--json'])
    expect(stderr).to.equal('')
    return objectOf(JSON.parse(stdout))
  }
  return {
    json,
    run: (name, as, ...words) => payctl(place, ['batch', 'run', folder.path(name), '--as', as, ...words]),
    async amounts(query) {
      const { values } = await json('transactions', 'list', '--where', query, '--limit', '1000')
      return listOf(values)
        .map((value) => objectOf(value).amount)
        .sort((a, b) => Number(a) - Number(b))
    },
  }
}
