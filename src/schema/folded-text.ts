/**
 * A text as searches compare it: composed (NFC), and without regard to case in any script, by the full folding of Unicode.
 * `STRASSE` and `straße` are the same, and so are `é` as one character and as two. Dotless `ı` is an `i`.
 */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Capitals of small letters, as `ß` has none of its own; a sigma is the same at the end of a word.
  return text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

const ASCII = /^[\0-\x7f]*$/

/** A character that a composed text may have, and what it becomes when the text is folded. */
export interface FoldedLetter {
  readonly letter: string
  readonly folded: string
}

/** The characters that fold to others, by each character that they fold to: those for `s` include `S` and `ß`. */
export function lettersFoldedTo(character: string): readonly FoldedLetter[] {
  known ??= byFolded()
  return known.get(character) ?? []
}
/** Made for the first search that needs it, in some 20 ms. */
let known: ReadonlyMap<string, readonly FoldedLetter[]> | undefined

function byFolded(): ReadonlyMap<string, readonly FoldedLetter[]> {
  const letters = new Map<string, readonly FoldedLetter[]>()
  for (let first = 0; first < END; first += BLOCK) {
    const block = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => first + index))
    for (const [letter] of block.matchAll(/\p{Changes_When_Lowercased}|\p{Changes_When_Uppercased}/gu)) {
      const folded = foldedText(letter)
      if (folded === letter || letter.normalize('NFC') !== letter) continue
      const found = { letter, folded }
      for (const character of new Set(folded))
        letters.set(character, [...(letters.get(character) ?? []), found])
    }
  }
  return letters
}

/** Letters with two cases are in the first two planes of Unicode. */
const END = 0x20000
const BLOCK = 0x1000
