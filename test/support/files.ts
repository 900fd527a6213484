import { writeDataUrl } from '../../src/schema/data-url.js'

/** Short content of each file type, beginning with the bytes by which the type is recognized. */
export const contents = {
  pdf: Buffer.from('%PDF-1.7\n%äüöß\n'),
  png: Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a464946', 'hex'),
  jpeg: Buffer.from('ffd8ffdb0043', 'hex'),
  gif: Buffer.from('GIF89a\x01\x00'),
  webp: Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 '),
  docx: Buffer.from('PK\x03\x04…[Content_Types].xml…word/document.xml'),
  xlsx: Buffer.from('PK\x03\x04…[Content_Types].xml…xl/workbook.xml'),
  odt: Buffer.from('PK\x03\x04…mimetypeapplication/vnd.oasis.opendocument.text'),
  ods: Buffer.from('PK\x03\x04…mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
  csv: Buffer.from('day,hours\r\n2026-01-31,7\r\n'),
  txt: Buffer.from('Sehr geehrte Frau Park,\n\tvielen Dank für Ihre Zahlung.\n'),
} as const

/** Data URL of a file, the form in which JSON requests contain files. */
export const dataUrl = (name: string | undefined, bytes: Buffer): string => writeDataUrl({ name, bytes })
