import { isUtf8 } from 'node:buffer'

/**
 * A kind of file that may be attached: its extensions, and a test that recognizes a file without a name by its
 * content.
 */
interface Kind {
  readonly mediaType: string
  readonly extensions: readonly string[]
  matches(bytes: Buffer): boolean
}

const startsWith =
  (hex: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.subarray(at, at + hex.length / 2).toString('hex') === hex

/** Office files are ZIP archives; their directory names the parts that must be in them. */
const office = (mediaType: string, extension: string, part: string): Kind => ({
  mediaType: `application/vnd.${mediaType}`,
  extensions: [extension],
  matches: (bytes) => startsWith('504b0304')(bytes) && bytes.includes(part),
})
const openXml = (type: string, extension: string, part: string) =>
  office(`openxmlformats-officedocument.${type}`, extension, part)
const openDocument = (type: string, extension: string) =>
  office(`oasis.opendocument.${type}`, extension, `vnd.oasis.opendocument.${type}`)

/** Whether bytes are UTF-8 without control characters. A header forbids browsers to guess another type. */
function isText(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 32 && !TEXT_CONTROLS.has(byte)) return false
  }
  return true
}
const TEXT_CONTROLS = new Set([9, 10, 12, 13])

const WEBP = startsWith('57454250', 8)

const KINDS: readonly Kind[] = [
  { mediaType: 'application/pdf', extensions: ['pdf'], matches: startsWith('255044462d') },
  { mediaType: 'image/png', extensions: ['png'], matches: startsWith('89504e470d0a1a0a') },
  { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'], matches: startsWith('ffd8ff') },
  { mediaType: 'image/gif', extensions: ['gif'], matches: startsWith('47494638') },
  {
    mediaType: 'image/webp',
    extensions: ['webp'],
    matches: (bytes) => startsWith('52494646')(bytes) && WEBP(bytes),
  },
  openXml('wordprocessingml.document', 'docx', 'word/'),
  openXml('spreadsheetml.sheet', 'xlsx', 'xl/'),
  openDocument('text', 'odt'),
  openDocument('spreadsheet', 'ods'),
  { mediaType: 'text/csv', extensions: ['csv'], matches: isText },
  { mediaType: 'text/plain', extensions: ['txt'], matches: isText },
]

/** The extensions that an attachment may have. */
export const EXTENSIONS = KINDS.flatMap(({ extensions }) => extensions).sort()

/**
 * The media type of a file by its name; undefined when it may not be attached. The content is not checked, as a file
 * is only ever downloaded; the sender's type is ignored.
 */
export function mediaTypeCalled(name: string): string | undefined {
  return kindCalled(name)?.mediaType
}

/** The extension that a file without a name gets for its content. */
export function extensionFor(bytes: Buffer): string | undefined {
  return KINDS.find((kind) => kind.mediaType !== 'text/csv' && kind.matches(bytes))?.extensions.at(0)
}

function kindCalled(name: string): Kind | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase()
  return KINDS.find(({ extensions }) => extension !== undefined && extensions.includes(extension))
}
