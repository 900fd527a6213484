/** Least width of a column that is cut off. */
const LEAST = 6

/** Columns of the terminal that a text takes: wide characters take two, combining ones none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{Mn}|\p{Cf}/u.test(character)) continue
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1
  }
  return width
}

/**
 * Widths that fit into a total: the widest columns give first, and all equally. Columns that must stay whole (ids, as
 * people copy them) give only when nothing else is left to give.
 */
export function fitted(
  natural: readonly number[],
  total: number,
  whole: readonly boolean[] = [],
): readonly number[] {
  const gentle = capped(natural, total, whole)
  return sumOf(gentle) > total ? capped(natural, total, []) : gentle
}

function capped(natural: readonly number[], total: number, whole: readonly boolean[]): readonly number[] {
  const at = (cap: number) => natural.map((width, index) => (whole[index] ? width : Math.min(width, cap)))
  let cap = Math.max(0, ...natural)
  while (cap > LEAST && sumOf(at(cap)) > total) cap--
  return at(cap)
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}
