/** File inside JSON. */
export interface Content {
  /** File name, if the sender gives one. */
  readonly name?: string
  readonly bytes: Buffer
}

/** File as a `data:` URL (RFC 2397), with its name among the parameters of its media type. */
export function writeDataUrl({ name, bytes }: Content, mediaType = 'application/octet-stream'): string {
  const named = name === undefined ? '' : `;name=${encodeURIComponent(name)}`
  return `data:${mediaType}${named};base64,${bytes.toString('base64')}`
}

/** Whether a text begins as a `data:` URL. The rest may be long and is read by `readDataUrl`. */
export function isDataUrl(text: string): boolean {
  return HEAD.test(text)
}

/** Reads a `data:` URL; undefined for any other text, and for content that is cut off or not base64. */
export function readDataUrl(text: string): Content | undefined {
  const [head, parameters = ''] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const content = text.slice(head.length)
  const bytes = /;base64$/i.test(parameters) ? base64(content) : percentEncoded(content)
  if (!bytes) return undefined
  const name = /;name=([^;,]+)/i.exec(parameters)?.[1]
  return { bytes, name: name === undefined ? undefined : decoded(name) }
}

/** Part of the URL up to the comma. The media type is not checked, because only the sender vouches for it. */
const HEAD = /^data:([^,]{0,2000}),/i

/**
 * Bytes of a base64 text; undefined if it is invalid. Node skips invalid characters, so the length is
 * compared.
 */
function base64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const digits = text.length - (text.endsWith('==') ? 2 : Number(text.endsWith('=')))
  return digits % 4 !== 1 && bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined
}

function percentEncoded(text: string): Buffer | undefined {
  const plain = decoded(text)
  return plain === undefined ? undefined : Buffer.from(plain)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
