import stringWidth from 'string-width'

/**
 * Characters that are never a part of others: printable ASCII, the letters of Western Europe and the ellipsis, of one
 * column each; kana, ideographs and syllables of Korean, of two. Other texts are left to the library, which takes
 * longer to load than a table to draw.
 */
const NARROW = '\\x20-\\x7e\\xa1-\\xac\\xae-\\xff\\u2026'
const WIDE = '\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3'
const NARROW_ONLY = new RegExp(`^[${NARROW}]*$`)
const SINGLE_ONLY = new RegExp(`^[${NARROW}${WIDE}]*$`)
const NARROW_ALL = new RegExp(`[${NARROW}]+`, 'g')

/** Made when it is first needed: few texts need it, and making it takes longer than drawing a table. */
let segmenter: Intl.Segmenter | undefined

/** Columns of the terminal that a text takes: wide characters and emoji take two, combining ones none. */
export function widthOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length
  return SINGLE_ONLY.test(text) ? text.length + text.replace(NARROW_ALL, '').length : stringWidth(text)
}

/** A text of at most so many columns; what is too long ends with `…`. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  let used = 0
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    cut += segment
  }
  return `${cut}…`
}

/** A text filled up with blanks to so many columns, as it is painted. */
export function filled(text: string, width: number, align: 'left' | 'right', painted = text): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? blanks + painted : painted + blanks
}

/**
 * Widths that fit into a total, none of them less than its least: the widest columns give first, and all equally.
 * Nothing where even the least is too much.
 */
export function fitted(
  natural: readonly number[],
  least: readonly number[],
  total: number,
): readonly number[] | undefined {
  if (sumOf(least) > total) return undefined
  const at = (cap: number) => natural.map((width, index) => Math.max(least[index] ?? 0, Math.min(width, cap)))
  let cap = Math.max(0, ...natural)
  while (sumOf(at(cap)) > total) cap--
  return at(cap)
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}
