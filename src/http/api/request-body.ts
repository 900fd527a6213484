import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { ApiError, unavailable } from '../../engine/core/request/api-error.js'
import type { Json } from '../../schema/json.js'
import type { Limits } from './http-limits.js'
import { isMultipart, parseMultipart } from './multipart.js'
import { parseForm } from './parse-form.js'
import { parseJson } from './parse-json.js'

/**
 * A body that is too large is read and discarded up to this multiple of the limit, so that the client can read the
 * refusal.
 */
const DISCARDED_SIZES = 16

/**
 * Bytes that any body may hold without using the shared `BodyRoom`. A payment is much smaller, so large bodies never
 * delay payments.
 */
const OWN_ROOM = 128 * 1024

/**
 * Limits the memory of all large bodies that are arriving. Any client may send large bodies, over all its connections,
 * before a key is checked.
 */
export class BodyRoom {
  private held = 0
  constructor(private readonly bytes: number) {}

  /** Reserves bytes; returns whether there was room. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.bytes) return false
    this.held += bytes
    return true
  }

  give(bytes: number): void {
    this.held -= bytes
  }
}

/** The parts of a body read so far; they are discarded once the body is refused. */
class Parts {
  bytes = 0
  private held = 0
  private parts: Buffer[] | undefined = []

  constructor(
    private readonly maxBytes: number,
    private readonly room: BodyRoom,
  ) {}

  /** Adds a part; returns whether there was room. A body that is too large is discarded. */
  add(part: Buffer): boolean {
    this.bytes += part.length
    if (!this.parts) return true
    const large = this.bytes > OWN_ROOM ? part.length : 0
    const hasRoom = this.bytes > this.maxBytes || this.room.take(large)
    if (this.bytes > this.maxBytes || !hasRoom) {
      this.drop()
      return hasRoom
    }
    this.held += large
    this.parts.push(part)
    return true
  }

  /** The collected body; empty if it was discarded. */
  whole(): Buffer {
    return Buffer.concat(this.parts ?? [])
  }

  /** Discards the parts and frees their reserved bytes. */
  drop(): void {
    this.parts = undefined
    this.room.give(this.held)
    this.held = 0
  }
}

/**
 * Reads a body to its end. Throws `PayloadTooLarge` after the client has sent the rest of the body, or far too much.
 * Throws `ServiceUnavailable` while there is no room for large bodies.
 */
export function collectBody(
  payload: Readable,
  maxBytes: number,
  room: BodyRoom,
  multipartBytes = maxBytes,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts = new Parts(maxBytes, room)
    payload.on('data', (part: Buffer) => {
      if (!parts.add(part))
        reject(unavailable('Too many large bodies are being sent; nothing was changed', 1))
      if (parts.bytes > maxBytes * DISCARDED_SIZES) reject(bodyTooLarge(maxBytes, multipartBytes))
    })
    payload.on('end', () => {
      if (parts.bytes > maxBytes) reject(bodyTooLarge(maxBytes, multipartBytes))
      else resolve(parts.whole())
      parts.drop()
    })
    payload.on('error', reject)
    payload.on('close', () => parts.drop())
  })
}

/** The error for a body with more than `maxBytes`. If multipart may be larger, it says how to send files. */
export function bodyTooLarge(maxBytes: number, multipartBytes = maxBytes): ApiError {
  const files =
    multipartBytes > maxBytes
      ? `. Send files as multipart/form-data, which may have at most ${multipartBytes} bytes`
      : ''
  return new ApiError('PayloadTooLarge', `The body may have at most ${maxBytes} bytes${files}`)
}

/**
 * Parses a body by its content type: JSON, form fields or multipart; undefined when it is empty. Throws
 * `UnsupportedMediaType` or `BadRequest`.
 */
export async function parseBody(
  contentType: string | undefined,
  bytes: Buffer,
  limits: Limits,
): Promise<Json | undefined> {
  if (bytes.length === 0) return undefined
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) {
    const text = textOf(bytes, contentType)
    return text.trim() === '' ? undefined : parseJson(text, limits)
  }
  if (type === 'application/x-www-form-urlencoded')
    return parseForm(inUtf8(textOf(bytes, contentType), contentType), limits)
  if (isMultipart(contentType)) return await parseMultipart(contentType ?? '', bytes, limits)
  throw new ApiError(
    'UnsupportedMediaType',
    'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data',
  )
}

/** Names of Latin-1, an encoding in which every byte is a character. */
const LATIN = ['iso-8859-1', 'latin1', 'latin-1']

/**
 * Decodes a body. Throws `BadRequest` for bytes that are not UTF-8, unless Latin-1 is declared: a replacement character
 * would store another text.
 */
function textOf(bytes: Buffer, contentType: string | undefined): string {
  const charset = charsetOf(contentType)
  if (LATIN.includes(charset)) return bytes.toString('latin1')
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new ApiError('UnsupportedMediaType', 'The body must be in UTF-8 or ISO-8859-1')
  }
  if (!isUtf8(bytes)) throw new ApiError('BadRequest', 'The body is not valid UTF-8')
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

function charsetOf(contentType: string | undefined): string {
  return /;\s*charset="?([^\s;"]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8'
}

/** Converts the percent encoding of a form from Latin-1, where each byte is a character, to UTF-8. */
function inUtf8(form: string, contentType: string | undefined): string {
  if (!LATIN.includes(charsetOf(contentType))) return form
  return form.replace(/%([89A-F][0-9A-F])/gi, (_, byte: string) =>
    encodeURIComponent(Buffer.from(byte, 'hex').toString('latin1')),
  )
}
