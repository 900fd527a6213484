const BLOCKS = '▁▂▃▄▅▆▇█'
/** Characters for terminals without UTF-8, lowest first. */
const CHARACTERS = '_.-:=+*#'

/**
 * A line of characters whose heights show values, from 0 to the largest; values below 0 are shown as 0. If
 * there are more values than `width`, neighbouring values are added.
 */
export function sparkline(values: readonly number[], width: number, isPlain: boolean): string {
  const levels = isPlain ? CHARACTERS : BLOCKS
  const each = Math.max(1, Math.ceil(values.length / Math.max(width, 1)))
  const sums = Array.from({ length: Math.ceil(values.length / each) }, (_, index) =>
    values.slice(index * each, (index + 1) * each).reduce((sum, value) => sum + Math.max(value, 0), 0),
  )
  const largest = Math.max(...sums)
  const level = (sum: number) => (largest > 0 ? Math.ceil((sum / largest) * levels.length) - 1 : 0)
  return sums.map((sum) => levels.charAt(Math.max(level(sum), 0))).join('')
}

/** Whether a terminal shows characters beyond ASCII, according to the variables of its locale. */
export function showsUnicode({
  LC_ALL,
  LC_CTYPE,
  LANG,
}: Readonly<Record<string, string | undefined>>): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}
