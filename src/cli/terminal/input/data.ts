import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { writeDataUrl } from '../../../schema/data-url.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { UsageError } from '../failure/failure.js'
import { isObject } from './body.js'
import { decodedText } from './decode.js'
import type { StandardInput } from './stdin.js'
import { readJsonText } from './typed-values.js'

/** Beginning of an object, or of a list of objects, in JSON. */
const BEGINS_JSON = /^\s*(?:\[\s*)?\{/

/**
 * Reads JSON from a file, or from standard input for `-`. Throws a `UsageError` for a missing file or
 * invalid JSON.
 */
export async function readData(from: string, stdin: StandardInput): Promise<Json> {
  if (BEGINS_JSON.test(from) && !existsSync(from))
    throw new UsageError('Expected a file or - as --data, but received JSON itself: pipe it to --data -')
  const text = await readAll(from, stdin)
  return readJsonText(text, from === '-' ? 'standard input' : from, { attribute: 'attrs' })
}

/** Reads a request body, which is an object. A list of objects becomes a list object of the API. */
export async function readTree(from: string, stdin: StandardInput): Promise<JsonObject> {
  const data = await readData(from, stdin)
  if (Array.isArray(data)) return { object: 'list', values: data }
  if (!isObject(data)) throw new UsageError('Expected an object or a list of objects as data')
  return data
}

/**
 * Reads a file as a `data:` URL with its name, as files are sent in bodies. Throws a `UsageError` for a
 * missing file.
 */
export async function readContent(path: string): Promise<string> {
  return writeDataUrl({ name: basename(path), bytes: await readBytes(path) })
}

/** Text of a file, or of standard input for `-`. Throws a `UsageError` for a missing file. */
export async function readAll(from: string, stdin: StandardInput): Promise<string> {
  return from === '-' ? await stdin.rest() : await readTextFile(from)
}

/**
 * Text of a file in UTF-8 or UTF-16, which editors of Windows write. Throws a `UsageError` if the file
 * cannot be read; `name` is its name in the message.
 */
export async function readTextFile(path: string, name?: string): Promise<string> {
  return decodedText(await readBytes(path, name))
}

async function readBytes(path: string, name = `file ${path}`): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new UsageError(`The ${name} cannot be read${code}`)
  }
}
