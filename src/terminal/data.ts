import { readFile } from 'node:fs/promises'
import type { Json, JsonObject } from '../core/json.js'
import { isObject } from './body.js'
import { UsageError } from './failure.js'
import type { StandardInput } from './stdin.js'
import { readJsonText } from './values.js'

/** The body in a file, or on standard input when it is `-`. Throws a `UsageError` for a missing file or broken JSON. */
export async function readData(from: string, stdin: StandardInput): Promise<Json> {
  const text = from === '-' ? await stdin.rest() : await readText(from)
  return readJsonText(text, from === '-' ? 'standard input' : from)
}

/** A body that is one object; a list of objects is the interface's list. */
export async function readTree(from: string, stdin: StandardInput): Promise<JsonObject> {
  const data = await readData(from, stdin)
  if (Array.isArray(data)) return { object: 'list', values: data }
  if (!isObject(data)) throw new UsageError('Expected an object or a list of objects as data')
  return data
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new UsageError(`The file ${path} cannot be read${code}`)
  }
}
