import { isDataUrl, readDataUrl } from '../../../schema/data-url.js'
import type { Json } from '../../../schema/json.js'
import { isObject } from '../input/body.js'

/** An encoded body. */
export interface Sent {
  readonly type: string
  readonly content: string | Buffer
}

/**
 * Characters of JSON above which a body is sent as a multipart form, for which `serve` has a higher limit.
 */
const LARGE = 3 * 1024 * 1024

/** Encodes a body as JSON, or as a form if it has a large file and otherwise only texts. */
export function bodyOf(body: Json, newBoundary: () => string): Sent {
  const text = JSON.stringify(body)
  const form = text.length > LARGE ? formOf(body, newBoundary()) : undefined
  return form ?? { type: 'application/json', content: text }
}

function formOf(body: Json, boundary: string): Sent | undefined {
  if (!isObject(body)) return undefined
  const parts: Buffer[] = []
  for (const [name, value] of fieldsOf(body)) {
    if (typeof value !== 'string') return undefined
    const part = partOf(name, value)
    if (!part) return undefined
    parts.push(Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n'))
  }
  const content = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, content }
}

/** The values of a body by their names in bracket form, as `files[0][content]`. */
function fieldsOf(value: Json, name = ''): (readonly [name: string, value: Json])[] {
  if (value === null || typeof value !== 'object') return [[name, value]]
  return Object.entries(value).flatMap(([key, inner]) =>
    fieldsOf(inner, name === '' ? key : `${name}[${key}]`),
  )
}

function partOf(name: string, value: string): Buffer | undefined {
  const field = `Content-Disposition: form-data; name="${name}"`
  if (!isDataUrl(value)) return Buffer.from(`${field}\r\n\r\n${value}`)
  const file = readDataUrl(value)
  if (!file) return undefined
  const fileName = (file.name ?? '').replaceAll('"', '%22').replace(/[\r\n]/g, ' ')
  const head = `${field}; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return Buffer.concat([Buffer.from(head), file.bytes])
}
