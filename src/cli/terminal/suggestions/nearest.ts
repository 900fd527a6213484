/** Minimum number of letters of a word that may be the beginning of a longer one. */
const MIN_BEGINNING = 4

/**
 * The known word that was probably meant: a similar word, or else the shortest known word that begins with `word`.
 * Undefined if there is none.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 4))
  let best: string | undefined
  let least = most + 1
  for (const other of known) {
    if (Math.abs(other.length - word.length) >= least) continue
    const distance = distanceOf(word, other)
    if (distance >= least) continue
    least = distance
    best = other
  }
  return best ?? shortestFrom(word, known)
}

function shortestFrom(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_BEGINNING) return undefined
  const longer = known.filter((other) => other.startsWith(word))
  return longer.toSorted((a, b) => a.length - b.length)[0]
}

/** Distance of two words: number of letters to insert, remove, change, or swap with the next. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + cost,
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
  }
  return at(one.length, other.length)
}

/** The nearest attribute, by its path or its last name, in any spelling. */
export function nearestAttribute(word: string, paths: readonly string[]): string | undefined {
  const plain = word.trim().toLowerCase().replaceAll(/[ -]/g, '_')
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const ending = paths.find((path) => lastOf(path) === plain)
  if (ending !== undefined) return ending
  const whole = nearest(plain, paths)
  if (whole !== undefined) return whole
  const last = nearest(lastOf(plain), paths.map(lastOf))
  return last === undefined ? undefined : paths.find((path) => lastOf(path) === last)
}
