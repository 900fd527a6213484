/** Modules (squares) of a QR code without its border; `true` is dark. */
type Modules = readonly (readonly boolean[])[]

/** Blocks of data for medium error correction by version, each as `count x codewords`, from version 1. */
const BLOCKS = ['1x16', '1x28', '1x44', '2x32', '2x43', '4x27', '4x31', '2x38 2x39', '3x36 2x37', '4x43 1x44']
/** Coordinates of alignment patterns by version, from version 1, without the coordinate 6. */
const CENTRES = [[], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]]

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/**
 * Decodes a QR code without errors, by ISO/IEC 18004: versions 1 to 10, medium error correction, byte mode.
 * Throws for any other code.
 */
function readQrCode(modules: Modules): string {
  const size = modules.length
  const version = (size - 17) / 4
  const blocks = BLOCKS[version - 1]
  if (blocks === undefined) throw new Error(`A code of ${size} modules is not read here`)
  const dark = (x: number, y: number) => modules[y]?.[x] === true
  const format = bitsOf([0, 1, 2, 3, 4].map((x) => dark(x, 8))) ^ 0b10101
  if (format >> 3 !== 0) throw new Error('Error correction is not medium')
  const mask = MASKS[format & 7]
  const bits = path(version).map(([x, y]) => dark(x, y) !== mask?.(x, y))
  const codewords = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bitsOf(bits.slice(index * 8, index * 8 + 8)),
  )
  return textOf(joined(codewords, blocks))
}

/** Positions of the data modules in reading order: pairs of columns from the right, alternately up and down. */
function path(version: number): (readonly [x: number, y: number])[] {
  const size = version * 4 + 17
  const places: (readonly [number, number])[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) if (!isFunction(version, x, y)) places.push([x, y])
    }
    isUp = !isUp
  }
  return places
}

/** Whether a module belongs to a pattern that locates or describes the code, and so contains no data. */
function isFunction(version: number, x: number, y: number): boolean {
  const size = version * 4 + 17
  const isFinder = (x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9)
  const isVersion = version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))
  if (isFinder || isVersion || x === 6 || y === 6) return true
  const last = CENTRES[version - 1] ?? []
  const centres = last.length === 0 ? [] : [6, ...last]
  const end = last.at(-1) ?? 0
  return centres.some((cx) =>
    centres.some((cy) => {
      const isCorner = (cx === 6 && cy === 6) || (cx === 6 && cy === end) || (cx === end && cy === 6)
      return !isCorner && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2
    }),
  )
}

/** Puts interleaved codewords back into the order of their blocks. */
function joined(codewords: readonly number[], blocks: string): number[] {
  const lengths = blocks.split(' ').flatMap((group) => {
    const [count = 0, length = 0] = group.split('x').map(Number)
    return Array.from({ length: count }, () => length)
  })
  const read = lengths.map((): number[] => [])
  let at = 0
  for (let index = 0; index < Math.max(...lengths); index++)
    for (const [block, length] of lengths.entries())
      if (index < length) read[block]?.push(codewords[at++] ?? 0)
  return read.flat()
}

function textOf(codewords: readonly number[]): string {
  const bits = codewords.flatMap((word) =>
    Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1),
  )
  if (bitsOf(bits.slice(0, 4)) !== 4) throw new Error('The data are not bytes')
  // Versions 1 to 9 have eight bits for the length; 10 and above sixteen.
  const wide = codewords.length > 182 ? 16 : 8
  const length = bitsOf(bits.slice(4, 4 + wide))
  const bytes = Array.from({ length }, (_, index) =>
    bitsOf(bits.slice(4 + wide + index * 8, 12 + wide + index * 8)),
  )
  return Buffer.from(bytes).toString('utf8')
}

function bitsOf(bits: readonly boolean[]): number {
  return bits.reduce((number, bit) => number * 2 + Number(bit), 0)
}

/**
 * Decodes a QR code drawn as SVG in a page or file. Throws unless the code is one black path on white with a
 * border of four modules.
 */
export function readDrawnCode(svg: string): string {
  const [, drawn = '', size = '', path = ''] =
    /<svg ([^>]*viewBox="0 0 (\d+) \d+"[^>]*)><title>[^<]+<\/title><rect [^>]*fill="#fff"><\/rect><path fill="#000" d="([^"]*)">/.exec(
      svg,
    ) ?? []
  if (drawn === '') throw new Error(`There is no code: ${svg.slice(0, 200)}`)
  const rows = Array.from({ length: Number(size) }, () => new Array<boolean>(Number(size)).fill(false))
  for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))
  return readQrCode(withoutBorder(rows, 4))
}

/** Decodes a QR code from the pixels of a screenshot, with a border of four modules; `true` is dark. */
export function readSeenCode(rows: Modules): string {
  return readQrCode(withoutBorder(rows, 4))
}

/** Decodes a QR code that a terminal shows in half blocks, dark on light. Throws without a border of two modules. */
export function readTypedCode(lines: readonly string[], ink = ' ▄▀█'): string {
  const rows = lines.flatMap((line) => {
    const marks = [...line].map((mark) => ink.indexOf(mark))
    return [marks.map((mark) => (mark & 2) === 2), marks.map((mark) => (mark & 1) === 1)]
  })
  return readQrCode(withoutBorder(rows.slice(0, rows[0]?.length), 2))
}

function withoutBorder(rows: Modules, border: number): Modules {
  const inner = rows.slice(border, -border).map((row) => row.slice(border, -border))
  const darkInner = inner.flat().filter(Boolean).length
  if (darkInner === 0 || rows.flat().filter(Boolean).length !== darkInner)
    throw new Error(`The border is not ${border} light modules`)
  return inner
}
