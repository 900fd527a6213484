import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ApiError } from '../../engine/core/request/api-error.js'
import { writeDataUrl } from '../../schema/data-url.js'
import type { Json } from '../../schema/json.js'
import type { Limits } from './http-limits.js'
import { jsonOfFields } from './parse-form.js'

/** Longest boundary, in characters (RFC 2046). The parser has a limit of its own, beyond which it fails. */
const MAX_BOUNDARY = 70

const MAX_PART_HEADERS = 20

type Field = readonly [name: string, value: string]

/**
 * Reads a multipart body whose parts have bracket names, like form fields; a file becomes the `data:` URL that JSON
 * would hold in its place. Throws `BadRequest`, also for a part that cannot be read or a body that ends too early.
 */
export async function parseMultipart(contentType: string, bytes: Buffer, limits: Limits): Promise<Json> {
  const fields = await fieldsOf(contentType, bytes, limits)
  if (fields.length < delimiters(contentType, bytes)) throw malformed('a part has no name')
  return jsonOfFields(fields, limits.depth)
}

/** Whether a content type is that of a multipart form. */
export function isMultipart(contentType: string | undefined): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '')
}

function fieldsOf(contentType: string, bytes: Buffer, limits: Limits): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    const fields: Field[] = []
    const parser = open(contentType, limits)
    // The parser's types promise a name, but a part may have none.
    parser.on('field', (name, value) => fields.push([name ?? '', value]))
    parser.on('file', (name, file, fileName, _encoding, mediaType) => {
      const chunks: Buffer[] = []
      file.on('error', () => reject(malformed('it ends too early')))
      file.on('data', (chunk: Buffer) => chunks.push(chunk))
      file.on('end', () => {
        const bytes = Buffer.concat(chunks)
        // Browsers write a quotation mark in a file name as %22.
        const decoded = fileName ? fileName.replaceAll('%22', '"') : undefined
        fields.push([name ?? '', writeDataUrl({ name: decoded, bytes }, mediaType)])
      })
    })
    parser.on('partsLimit', () => {
      reject(new ApiError('BadRequest', `At most ${limits.fields} parts are accepted`))
    })
    parser.on('error', () => reject(malformed('it ends too early')))
    parser.on('finish', () => resolve(fields))
    parser.end(bytes)
  })
}

function open(contentType: string, { bodyBytes, fields }: Limits): BusboyInstance {
  const boundary = boundaryOf(contentType)
  if (!boundary) throw malformed('the Content-Type names no boundary')
  if (boundary.length > MAX_BOUNDARY)
    throw malformed(`the boundary is longer than ${MAX_BOUNDARY} characters`)
  return new Busboy({
    headers: { 'content-type': contentType },
    limits: { fieldSize: bodyBytes, parts: fields, headerPairs: MAX_PART_HEADERS },
    isPartAFile: (_name, mediaType, fileName) => fileName !== undefined || !isText(mediaType),
  })
}

/** Whether a part without a file name is a value: some clients give a value the type of plain text or JSON. */
function isText(mediaType: string | undefined): boolean {
  return mediaType === undefined || /^(text\/plain|application\/json)\b/i.test(mediaType)
}

/**
 * Number of parts in the body. The parser skips parts that it does not understand, so a comparison shows whether any is
 * missing.
 */
function delimiters(contentType: string, bytes: Buffer): number {
  const delimiter = `--${boundaryOf(contentType)}\r\n`
  let count = 0
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length))
    count++
  return count
}

function boundaryOf(contentType: string): string | undefined {
  const match = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  return match?.[1] ?? match?.[2]
}

function malformed(reason: string): ApiError {
  return new ApiError('BadRequest', `The body is not valid multipart/form-data: ${reason}`)
}
