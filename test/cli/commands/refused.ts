import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import type { Place } from '../../support/databases.js'
import { payctl, type Typed } from './payctl.js'

/** Expected error of commands on an unusable home or database. */
export interface Refused {
  readonly exitCode: number
  readonly sentence: string
}

/** Arguments of a read, a write and `serve`. */
const READ = ['customers', 'list']
const WRITE = ['customers', 'create', '--name', 'Ada']
const SERVE = ['serve', '--port', '0']

/**
 * Expects reading, writing and serving to fail with the same error. It is one sentence on stderr, or one
 * error object with `--json`, and stdout stays empty.
 */
export async function expectRefused(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  refused: Refused,
  typed: Typed = {},
): Promise<void> {
  await Promise.all([READ, WRITE, SERVE].map((words) => expectRefusedTo(place, words, refused, typed)))
}

/** Expects writing and serving to fail with the same error, while reading works. */
export async function expectWritesRefused(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  refused: Refused,
  typed: Typed = {},
): Promise<void> {
  const read = payctl(place, [...READ, '--json'], typed)
  await Promise.all([WRITE, SERVE].map((words) => expectRefusedTo(place, words, refused, typed)))
  const { exitCode, stderr, stdout } = await read
  expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
  expect(JSON.parse(stdout)).to.have.property('object', 'list')
}

async function expectRefusedTo(
  place: Pick<Place, 'home' | 'databaseUrl'>,
  words: readonly string[],
  { exitCode, sentence }: Refused,
  typed: Typed,
): Promise<void> {
  const [said, json] = await Promise.all([
    payctl(place, words, typed),
    payctl(place, words, { ...typed, variables: { ...typed.variables, PAYCTL_OUTPUT: 'json' } }),
  ])
  expect(said, words.join(' ')).to.deep.equal({ exitCode, stdout: '', stderr: `error: ${sentence}\n` })
  expect({ exitCode: json.exitCode, stdout: json.stdout }).to.deep.equal({ exitCode, stdout: '' })
  expect(objectOf(JSON.parse(json.stderr))).to.deep.equal({
    object: 'error',
    error_type: 'ServiceUnavailable',
    error_description: sentence,
    details: {},
    exit_code: exitCode,
  })
}
