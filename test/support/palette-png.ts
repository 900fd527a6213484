import { crc32, deflateSync } from 'node:zlib'

/** An image as rows of pixels. */
export interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes per pixel: red, green, blue, and opacity, which is ignored. */
  readonly rgba: Uint8Array
}

/** Number of colours in the palette. */
const COLOURS = 96

/**
 * Encodes an image as PNG with a palette of the most frequent colours. Any other colour becomes the nearest in
 * the palette.
 */
export function palettePng({ width, height, rgba }: Pixels): Uint8Array {
  const colours = Array.from({ length: width * height }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3)
    return (red << 16) | (green << 8) | blue
  })
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, COLOURS)
    .map(([colour]) => colour)
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearestIn(palette, colour)]))
  const rows = new Uint8Array((width + 1) * height)
  // Each row begins with a byte for its filter: 0 means no filter.
  for (const [pixel, colour] of colours.entries())
    rows[pixel + Math.floor(pixel / width) + 1] = indexes.get(colour) ?? 0
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  // Eight bits per pixel, each the index of a colour in the palette.
  header.setUint8(8, 8)
  header.setUint8(9, 3)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', new Uint8Array(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

function nearestIn(palette: readonly number[], colour: number): number {
  const distance = (other: number) =>
    channels(other).reduce((sum, value, at) => sum + (value - (channels(colour)[at] ?? 0)) ** 2, 0)
  let nearest = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, other] of palette.entries()) {
    const far = distance(other)
    if (far >= least) continue
    nearest = index
    least = far
  }
  return nearest
}

function channels(colour: number): readonly number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const typed = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
