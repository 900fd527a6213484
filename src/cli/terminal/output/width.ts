import stringWidth from 'string-width'

/**
 * Characters that never combine with others. Printable ASCII, the letters of Western Europe and the ellipsis are one
 * column wide; kana, ideographs and Korean syllables are two. Texts with other characters are measured by the library,
 * which is much slower.
 */
const NARROW = '\\x20-\\x7e\\xa1-\\xac\\xae-\\xff\\u2026'
const WIDE = '\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3'
const NARROW_ONLY = new RegExp(`^[${NARROW}]*$`)
const SINGLE_ONLY = new RegExp(`^[${NARROW}${WIDE}]*$`)
const NARROW_ALL = new RegExp(`[${NARROW}]+`, 'g')

/**
 * Segmenter of characters. It is created on demand, because few texts need it and its creation takes longer
 * than drawing a table.
 */
let segmenter: Intl.Segmenter | undefined

/**
 * Width of a text on a terminal in columns: wide characters and emoji have two, combining characters none.
 */
export function widthOf(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length
  return SINGLE_ONLY.test(text) ? text.length + text.replace(NARROW_ALL, '').length : stringWidth(text)
}

/** A text of at most `width` columns; a longer text is cut and ends with `…`. */
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

/** A text padded with blanks to `width` columns; `painted` is the text with its colours. */
export function filled(text: string, width: number, align: 'left' | 'right', painted = text): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? blanks + painted : painted + blanks
}

/**
 * Shrinks column widths until they fit into a total, the widest columns first, none below its minimum.
 * Undefined if even the minimums do not fit.
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
