const PLAIN = /^[\x20-\x7e]*$/
const NOTHING = /^[\p{M}\p{Cf}]*$/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

/** Made when it is first needed: few texts are not ASCII, and making it takes longer than all else here. */
let segmenter: Intl.Segmenter | undefined

function charactersOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

/** Columns of the terminal that a text takes: wide characters and emoji take two, combining ones none. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of charactersOf(text)) width += widthOfCharacter(segment)
  return width
}

/** A text of at most so many columns; what is too long ends with `…`. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let cut = ''
  let used = 0
  for (const { segment } of charactersOf(text)) {
    used += widthOfCharacter(segment)
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

/** What people take for one character. */
function widthOfCharacter(character: string): number {
  if (NOTHING.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
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
